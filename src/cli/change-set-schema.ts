import * as z from 'zod/mini';
import type { ChangeReason } from '#core/change/change.ts';
import type { VerdictCode } from '#core/change/verdict.ts';
import type { WorkState } from '#core/run/driver.ts';

const ID = 'https://minutehand.dev/schemas/change-set-v1.json';

function time() {
  return z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/));
}

function count() {
  return z.int().check(z.minimum(0));
}

function objectRef() {
  return { apiVersion: z.string(), kind: z.string(), namespace: z.optional(z.string()), name: z.string() };
}

// Records, so that a word that is missing here does not compile.
const CODES: Readonly<Record<VerdictCode, true>> = {
  fired: true,
  empty: true,
  held: true,
  expired: true,
  suspended: true,
  waiting: true,
  invalid: true,
  observed: true,
  unreadable: true,
  conflict: true,
  failed: true,
  deferred: true,
  deleting: true,
};
const REASONS: Readonly<Record<ChangeReason, true>> = {
  SlotDue: true,
  Replaced: true,
  HistoryLimit: true,
  TimeToLive: true,
  Retention: true,
  StatusChanged: true,
  LeftoverMark: true,
  Transition: true,
  WorkStarted: true,
  WorkDone: true,
  FinalizerDone: true,
};
const STATES: Readonly<Record<WorkState, true>> = {
  foreign: true,
  pending: true,
  waiting: true,
  started: true,
  running: true,
  succeeded: true,
  failed: true,
  finished: true,
  releasing: true,
  deleting: true,
  unreadable: true,
  invalid: true,
  observed: true,
};

function verdictShape() {
  return {
    code: z.enum(Object.keys(CODES)),
    reason: z.optional(z.string()),
    slot: z.optional(time()),
    lateSeconds: z.optional(z.int()),
    superseded: z.optional(z.strictObject({ count: count(), oldest: time() })),
    expired: z.optional(z.strictObject({ count: count(), oldest: time() })),
    next: z.nullable(time()),
    nextUntil: z.optional(time()),
    runs: z.optional(z.array(z.string())),
    actor: z.optional(z.string()),
    detail: z.optional(z.string()),
  };
}

/** What an observer foresees is a verdict of somebody else, one level deep. */
function verdict() {
  return z.strictObject({ ...verdictShape(), foreseen: z.optional(z.strictObject(verdictShape())) });
}

function change() {
  const common = {
    object: z.strictObject(objectRef()),
    reason: z.enum(Object.keys(REASONS)),
    slot: z.optional(time()),
  };
  const precondition = z.strictObject({ uid: z.string(), resourceVersion: z.string() });
  const body = z.record(z.string(), z.json());
  const diff = z.strictObject({
    path: z.string(),
    before: z.optional(z.json()),
    after: z.optional(z.json()),
  });
  return z.discriminatedUnion('verb', [
    z.strictObject({ verb: z.literal('create'), ...common, body }),
    z.strictObject({
      verb: z.literal('delete'),
      ...common,
      precondition,
      marks: z.optional(z.record(z.string(), z.string())),
    }),
    z.strictObject({
      verb: z.literal('annotate'),
      ...common,
      precondition,
      annotations: z.record(z.string(), z.nullable(z.string())),
    }),
    z.strictObject({
      verb: z.literal('apply'),
      ...common,
      subresource: z.literal('status'),
      precondition: z.optional(precondition),
      fields: z.json(),
      diff: z.array(diff),
    }),
    z.strictObject({
      verb: z.literal('release'),
      ...common,
      precondition,
      finalizers: z.array(z.string()),
    }),
    z.strictObject({ verb: z.literal('event'), ...common, body }),
  ]);
}

function diagnostic() {
  const place = z.strictObject({
    file: z.string(),
    line: z.int(),
    column: z.int(),
    document: z.optional(z.int()),
  });
  const about = { group: z.string(), kind: z.string(), namespace: z.optional(z.string()), name: z.string() };
  return z.strictObject({
    // Closed, but longer with every release: a reader has to bear new ones.
    code: z.string().check(z.regex(/^[A-Z][A-Za-z]+$/)),
    severity: z.enum(['error', 'warning', 'note']),
    what: z.string(),
    why: z.optional(z.string()),
    fix: z.optional(z.string()),
    object: z.optional(z.strictObject(about)),
    path: z.optional(z.array(z.union([z.string(), z.int()]))),
    place: z.optional(place),
  });
}

/** The published change set (design.md 4) as a schema, of which `examples/change-set.schema.json` is made. */
function changeSetSchema() {
  const owner = {
    ...objectRef(),
    uid: z.optional(z.string()),
    resourceVersion: z.optional(z.string()),
    changes: z.array(change()),
  };
  const schedule = z.strictObject({ ...owner, verdict: verdict() });
  const work = z.strictObject({
    ...owner,
    driver: z.string(),
    state: z.enum(Object.keys(STATES)),
    reason: z.optional(z.string()),
    detail: z.optional(z.string()),
  });
  const works = z.strictObject({
    orders: count(),
    states: z.partialRecord(z.enum(Object.keys(STATES)), count()),
    creates: count(),
    statuses: count(),
    releases: count(),
    events: count(),
  });
  const counts = z.strictObject({
    schedules: count(),
    verdicts: z.partialRecord(z.enum(Object.keys(CODES)), count()),
    creates: count(),
    deletes: count(),
    annotations: z.optional(count()),
    statuses: count(),
    events: count(),
    works: z.optional(works),
    unchanged: count(),
  });
  return z.strictObject({
    formatVersion: z.literal(1),
    now: time(),
    graceSeconds: count(),
    schedules: z.array(schedule),
    retention: z.optional(z.array(z.strictObject(owner))),
    works: z.optional(z.array(work)),
    counts,
    diagnostics: z.array(diagnostic()),
  });
}

export function changeSetJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(changeSetSchema(), { target: 'draft-2020-12' });
  return { $schema, $id: ID, title: 'Minutehand change set, format 1', ...schema };
}
