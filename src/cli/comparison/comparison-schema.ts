import * as z from 'zod/mini';
import {
  count,
  diagnostic,
  fieldDiff,
  objectKey,
  objectRef,
  place,
  time,
  verdict,
} from '#cli/schema-parts.ts';
import type { ObjectChange, StatusBasis, Totals } from '#core/comparison/comparison.ts';
import { GUARD_NAMES } from '#core/comparison/guard.ts';
import type { FiresNowCause } from '#core/comparison/merge-effects.ts';

const ID = 'https://minutehand.dev/schemas/comparison-v1.json';

// Records, so that a word that is missing here does not compile.
const CHANGES: Readonly<Record<ObjectChange, true>> = {
  added: true,
  removed: true,
  changed: true,
  affected: true,
};
const BASES: Readonly<Record<StatusBasis, true>> = { recorded: true, declared: true, assumed: true };
const CAUSES: Readonly<Record<FiresNowCause, true>> = {
  added: true,
  unsuspended: true,
  deadline: true,
  released: true,
  zone: true,
  expression: true,
  other: true,
};
const TOTALS: Readonly<Record<keyof Totals, true>> = {
  added: true,
  removed: true,
  changed: true,
  affected: true,
  unchanged: true,
  firingsBefore: true,
  firingsAfter: true,
  firingsAdded: true,
  firingsRemoved: true,
  firingsMoved: true,
  firesNow: true,
  cancels: true,
  prunes: true,
  invalid: true,
  neverFires: true,
};

function days() {
  return z.array(z.strictObject({ day: z.iso.date(), before: count(), after: count() }));
}

function firings() {
  const firing = z.strictObject({ slot: time(), until: z.optional(time()) });
  return z.strictObject({
    before: count(),
    after: count(),
    added: z.array(firing),
    removed: z.array(firing),
    moved: z.array(z.strictObject({ from: firing, to: firing })),
    days: days(),
  });
}

function merge() {
  const firesNow = z.strictObject({
    slot: time(),
    lateSeconds: count(),
    cause: z.enum(Object.keys(CAUSES)),
    runs: z.array(objectKey()),
  });
  return z.strictObject({
    firesNow: z.optional(firesNow),
    noLongerFires: z.optional(time()),
    cancels: z.array(objectKey()),
    prunes: z.array(objectKey()),
    holds: z.optional(time()),
    releases: z.optional(time()),
  });
}

/** What `diff` publishes as a schema, of which `examples/comparison.schema.json` is made. */
function comparisonSchema() {
  const told = {
    ...objectRef(),
    change: z.enum(Object.keys(CHANGES)),
    place: z.optional(place()),
    broken: z.array(diagnostic()),
    mended: z.array(diagnostic()),
    fields: z.array(fieldDiff()),
  };
  const schedule = z.strictObject({
    ...told,
    unknown: z.optional(z.enum(['unreadable', 'unselected'])),
    before: z.optional(verdict()),
    after: z.optional(verdict()),
    runsBefore: count(),
    runsAfter: count(),
    firings: firings(),
    merge: merge(),
    clockChanges: z.array(
      z.strictObject({ at: time(), before: z.optional(z.string()), after: z.optional(z.string()) }),
    ),
    neverFires: z.boolean(),
    acknowledged: z.array(z.string()),
  });
  const peak = z.nullable(z.strictObject({ at: time(), starts: count() }));
  return z.strictObject({
    formatVersion: z.literal(1),
    now: time(),
    until: time(),
    basis: z.enum(Object.keys(BASES)),
    base: z.string(),
    head: z.string(),
    totals: z.record(z.enum(Object.keys(TOTALS)), count()),
    days: days(),
    peaks: z.array(z.strictObject({ lane: z.optional(objectKey()), before: peak, after: peak })),
    schedules: z.array(schedule),
    referents: z.array(z.strictObject({ ...told, prunes: z.array(objectKey()) })),
    broken: z.array(diagnostic()),
    tripped: z.array(
      z.strictObject({
        guard: z.enum(GUARD_NAMES),
        above: z.optional(count()),
        schedules: z.array(objectKey()),
      }),
    ),
  });
}

export function comparisonJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(comparisonSchema(), { target: 'draft-2020-12' });
  return { $schema, $id: ID, title: 'Minutehand comparison, format 1', ...schema };
}
