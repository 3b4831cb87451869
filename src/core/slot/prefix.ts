import { trimBlanks } from './blanks.ts';
import { DIALECTS, type DialectName } from './dialect.ts';
import type { TimingProblem } from './problem.ts';

/** What stands before the fields. */
export type Prefix =
  | { readonly kind: 'none' }
  | { readonly kind: 'zone'; readonly zone: string; readonly rest: string }
  | { readonly kind: 'refused'; readonly problem: TimingProblem };

const NONE: Prefix = { kind: 'none' };

const PREFIX = /^(?:CRON_)?TZ=([^ ]*)( ?)/;

/**
 * Splits off `TZ=NAME ` or `CRON_TZ=NAME ` as robfig/cron does: at the start only, up to the first space, an empty
 * name is UTC. Without the space that library panics; here it is a refusal.
 * @param allowStored dialect kubernetes: a stored prefix is honoured
 */
export function splitPrefix(text: string, dialect: DialectName, allowStored: boolean): Prefix {
  const rule = DIALECTS[dialect].prefix;
  if (rule === 'stored' && !allowStored)
    return refused(text, 'the API server refuses the letters `TZ` anywhere', dialect);
  const match = PREFIX.exec(text);
  if (match === null) return NONE;
  const [whole, zone = '', space] = match;
  if (rule === 'refused') return refused(whole.trimEnd(), 'the zone has a field of its own', dialect);
  if (space !== '') return { kind: 'zone', zone: zone || 'UTC', rest: trimBlanks(text.slice(whole.length)) };
  const problem = {
    code: 'InvalidSchedule',
    field: 'zone',
    text: whole,
    what: `the zone prefix \`${whole}\` has no schedule after it`,
    why: 'a space ends the name of the zone',
    fix: `write \`${whole} 0 3 * * *\``,
  } as const;
  return { kind: 'refused', problem };
}

/** The name of the zone that stands in front of the fields, be there such a zone or not; undefined where none is read. */
export function zoneInPrefix(expression: string, dialect: DialectName): string | undefined {
  if (DIALECTS[dialect].prefix === 'refused') return undefined;
  const match = PREFIX.exec(expression.trimStart());
  return match === null ? undefined : match[1] || 'UTC';
}

/** Whether an expression names its zone in front of its fields, as far as it is shown. */
export function hasZonePrefix(expression: string): boolean {
  return PREFIX.test(expression.trimStart());
}

/** The first sentence is the API server's own for a CronJob. */
function refused(text: string, why: string, dialect: DialectName): Prefix {
  const { zoneField, prefix } = DIALECTS[dialect];
  const what =
    prefix === 'stored'
      ? 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
      : `the zone prefix \`${text}\` is not read here`;
  const fix = `write the zone in ${zoneField} and the five fields alone`;
  return { kind: 'refused', problem: { code: 'InvalidSchedule', field: 'zone', text, what, why, fix } };
}
