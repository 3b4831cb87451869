import { isObject, textMember } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import type { TimingSource } from '#core/timing-source.ts';
import type { Effective } from './defaults.ts';

const EXPRESSION_PATH = ['spec', 'schedule', 'cron'];
const ZONE_PATH = ['spec', 'schedule', 'timezone'];

/** snapshot-schedule.md 6.3: every firing leaves an object behind. */
const OFTEN =
  "every firing leaves at least one Snapshot object behind, until its policy's retention takes it away";

/** @param basesAfter where the next slot is pinned anew: base slots up to here count as settled */
export function timingOf(
  cron: string,
  { zone, zoneFrom, jitterSeconds, jitterFrom }: Effective,
  seed: string,
  basesAfter: Instant | undefined,
): TimingSource {
  return {
    expression: cron,
    expressionPath: EXPRESSION_PATH,
    dialect: 'kopiur',
    zone,
    zonePath: ZONE_PATH,
    seed,
    jitterSeconds,
    oftenBecause: OFTEN,
    ...(zoneFrom === undefined ? {} : { zoneFrom }),
    ...(jitterFrom === undefined ? {} : { jitterFrom }),
    ...(basesAfter === undefined ? {} : { basesAfter }),
  };
}

/** Beside other faults the schedule is still worth a look. */
export function readableTiming(spec: Json): { readonly timing?: TimingSource } {
  const timetable = isObject(spec) ? spec.schedule : undefined;
  const cron = textMember(timetable, 'cron') ?? '';
  if (cron === '') return {};
  const zone = textMember(timetable, 'timezone') ?? 'UTC';
  return { timing: timingOf(cron, { zone, zoneIsOwn: true, jitterSeconds: 0 }, '', undefined) };
}
