import { isObject } from '#core/object/canonical.ts';
import type { Json, SourcedObject } from '#core/object/object.ts';
import { type ExtendedDays, needsExtendedDays } from '#core/slot/extended-days.ts';

/** Expressions stand at `spec.schedule` or one level below it. */
const DEPTH = 2;

function hasExtendedExpression(value: Json | undefined, depth: number): boolean {
  if (typeof value === 'string') return /\s/.test(value) && needsExtendedDays(value);
  if (!isObject(value) || depth === 0) return false;
  return Object.values(value).some((member) => hasExtendedExpression(member, depth - 1));
}

/** The parser of `L` and `#` (cron.md 5), loaded only where a schedule may need it. */
export async function loadExtension(schedules: readonly SourcedObject[]): Promise<ExtendedDays | undefined> {
  if (!schedules.some(({ object }) => hasExtendedExpression(object.spec, DEPTH))) return undefined;
  return (await import('#source/cron-parser-days.ts')).parseExtendedDays;
}
