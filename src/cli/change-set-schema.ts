import * as z from 'zod/mini';
import { CHANGE_REASONS } from '#core/change/change.ts';
import { VERDICT_CODES } from '#core/change/verdict.ts';
import { WORK_STATES } from '#core/run/driver.ts';

import { count, diagnostic, fieldDiff, objectRef, time, verdict } from './schema-parts.ts';

const ID = 'https://minutehand.dev/schemas/change-set-v1.json';

function change() {
  const common = {
    object: z.strictObject(objectRef()),
    reason: z.enum(CHANGE_REASONS),
    slot: z.optional(time()),
  };
  const precondition = z.strictObject({ uid: z.string(), resourceVersion: z.string() });
  const body = z.record(z.string(), z.json());
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
      annotations: z.optional(z.record(z.string(), z.nullable(z.string()))),
      diff: z.array(fieldDiff()),
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
    state: z.enum(WORK_STATES),
    reason: z.optional(z.string()),
    detail: z.optional(z.string()),
  });
  const works = z.strictObject({
    orders: count(),
    states: z.partialRecord(z.enum(WORK_STATES), count()),
    failedEarlier: z.optional(count()),
    creates: count(),
    statuses: count(),
    releases: count(),
    deletes: z.optional(count()),
    events: count(),
  });
  const counts = z.strictObject({
    schedules: count(),
    verdicts: z.partialRecord(z.enum(VERDICT_CODES), count()),
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
