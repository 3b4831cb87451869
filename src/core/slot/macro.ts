import { trimBlanks } from './blanks.ts';
import { DIALECTS, type DialectName } from './dialect.ts';
import { quote, type TimingProblem } from './problem.ts';

/** Shortcuts, in lower case only (cron-job.md 1.3). */
const MACROS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** Shortcuts of other schedulers, and what they mean there. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['@minutely', '* * * * *'],
  ['@weekdays', '0 0 * * 1-5'],
  ['@weekends', '0 0 * * 0,6'],
]);

export const EVERY = '@every ';

/** The five fields that a shortcut stands for. */
export function macroFields(text: string): string | undefined {
  return MACROS.get(text);
}

/** Why an expression that begins with `@` is refused. */
export function refusedMacro(text: string, dialect: DialectName): TimingProblem {
  const [why, fix] = reasonFor(text, dialect);
  return { code: 'InvalidSchedule', text, what: `the shortcut ${quote(text)} cannot be read`, why, fix };
}

function reasonFor(text: string, dialect: DialectName): readonly [why: string, fix: string] {
  const { macros, every } = DIALECTS[dialect];
  const bare = trimBlanks(text);
  const lower = bare.toLowerCase();
  const fields = MACROS.get(lower);
  if (!macros) {
    const instead = fields ?? FOREIGN.get(lower) ?? '0 3 * * *';
    return [
      'there are no shortcuts in this kind of schedule',
      `write the five fields, such as \`${instead}\``,
    ];
  }
  if (fields !== undefined) {
    return bare === text
      ? ['shortcuts are in lower case', `write \`${lower}\``]
      : ['there must be no blank around a shortcut', `write \`${lower}\``];
  }
  if (/^@every(?:$|\s)/.test(lower)) return every ? badPeriod(bare) : noPeriod();
  if (lower === '@reboot') return ['a cluster has no boot', 'write the five fields of a time'];
  const foreign = FOREIGN.get(lower);
  if (foreign !== undefined) return ["the name is another scheduler's", `write \`${foreign}\``];
  const known = [...MACROS.keys()].join(', ');
  return [`the shortcuts are ${known}${every ? ' and @every' : ''}`, 'write one of them, or five fields'];
}

function noPeriod(): readonly [string, string] {
  return ['a schedule here is of times and not of a period', 'write a step, such as `*/30 * * * *`'];
}

function badPeriod(text: string): readonly [string, string] {
  const days = /^@every (\d+)d$/.exec(text);
  const fix =
    days === null ? 'write for example `@every 1h30m`' : `write \`@every ${Number(days[1]) * 24}h\``;
  return ['after `@every` come one blank and a Go duration of h, m and s', fix];
}
