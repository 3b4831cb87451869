import { DIALECTS, type DialectName } from './dialect.ts';
import { type FieldName, type FieldSpec, MONTH_NAMES, numberAt, valueAt, WEEKDAY_NAMES } from './field.ts';
import type { TimingProblem } from './problem.ts';

/** Why one list element of a field is refused; undefined if it is fine. The order of the tests is that of likelihood. */
export function refusedElement(
  element: string,
  spec: FieldSpec,
  dialect: DialectName,
): TimingProblem | undefined {
  const reason = foreignSyntax(element, spec, dialect) ?? wrongShape(element) ?? wrongEnds(element, spec);
  if (reason === undefined) return undefined;
  const [why, fix] = reason;
  const what = `${spec.name} \`${element}\` cannot be read`;
  return { code: 'InvalidSchedule', field: spec.name, text: element, what, why, fix };
}

/** Why, and what to write instead. */
type Reason = readonly [why: string, fix: string];

function foreignSyntax(element: string, spec: FieldSpec, dialect: DialectName): Reason | undefined {
  const { hash, extendedDays } = DIALECTS[dialect];
  if (/^h(?:$|[(/#-])|-h(?:$|\/)/i.test(element)) {
    if (!hash) {
      return [
        'there is no `H` in this kind of schedule; only a SnapshotSchedule has it',
        `write a number from ${spec.min} to ${spec.max}`,
      ];
    }
    return [
      '`H` is a capital letter and stands alone in its field',
      'write `H`, without range, step or list',
    ];
  }
  if (/^(?:\d+W|L?W|WL)$/i.test(element))
    return ['there is no nearest weekday (`W`)', 'write days or weekdays'];
  if (element.includes('~')) return ['there are no random ranges (`~`)', 'write a number'];
  if (!/#|^L(?:$|[-/])|L$/i.test(element) || isName(element, spec)) return undefined;
  if (extendedDays) return extendedReason(spec);
  return [
    'there is no last or nth day (`L`, `#`) in this kind of schedule; only a SnapshotSchedule has it',
    'write plain days, such as `28` for a day that every month has',
  ];
}

function isName(element: string, spec: FieldSpec): boolean {
  return valueAt(element, 0, element.length, spec) >= 0;
}

function extendedReason(spec: FieldSpec): Reason {
  switch (spec.name) {
    case 'day of month':
      return ['of the last days only `L`, the last of the month, is known', 'write `L`'];
    case 'day of week':
      return [
        'a weekday of the month is `n#k` with k from 1 to 5, or `nL` for the last one',
        'write for example `5#2`, the second Friday, or `5L`, the last one',
      ];
    case 'minute':
    case 'hour':
    case 'month':
      return ['`L` and `#` are for the two day fields', `write a number from ${spec.min} to ${spec.max}`];
  }
}

function wrongShape(element: string): Reason | undefined {
  const [range = '', step, ...more] = element.split('/');
  if (more.length > 0) return ['it has more than one slash', 'write one step, such as `*/5`'];
  if (range === '') return ['a step needs a range before it', `write \`*/${step ?? ''}\``];
  if (step === undefined) return undefined;
  const value = numberAt(step, 0, step.length);
  if (value === 0) return ['a step of 0 goes nowhere', 'write a step of 1 or more'];
  return value > 0 ? undefined : ['the step is no whole number above 0', 'write a step such as `*/5`'];
}

function wrongEnds(element: string, spec: FieldSpec): Reason | undefined {
  const [range = '', step] = element.split('/');
  const ends = range.split('-');
  if (ends[0] === '*' || ends[0] === '?') return undefined;
  if (ends.length > 2) return ['a range has one hyphen', 'write a range such as `1-5`'];
  if (/^[0-6]-7$/.test(range) && spec.name === 'day of week' && step === undefined) return toSeven(range);
  for (const end of ends) {
    const reason = wrongValue(end, spec);
    if (reason !== undefined) return reason;
  }
  const [low = 0, high = spec.most] = ends.map((end) => valueAt(end, 0, end.length, spec));
  return low <= high ? undefined : wrapped(ends, step, spec);
}

function toSeven(range: string): Reason {
  const days = range.startsWith('0') ? '0-6' : range.startsWith('6') ? '6,0' : `${range[0]}-6,0`;
  return ['weekdays go from 0 to 6, Sunday is 0', `write \`${days}\``];
}

function wrongValue(text: string, spec: FieldSpec): Reason | undefined {
  const value = valueAt(text, 0, text.length, spec);
  const bounds = `${spec.min} to ${spec.most}`;
  if (value >= spec.min && value <= spec.most) return undefined;
  if (value === 7 && spec.name === 'day of week')
    return [`weekdays go from ${bounds}, Sunday is 0`, 'write `0` or `sun`'];
  if (value === 24 && spec.name === 'hour') return [`hours go from ${bounds}, midnight is 0`, 'write `0`'];
  if (/^\+?\d+$/.test(text)) return [`\`${text}\` is not in ${bounds}`, `write a value from ${bounds}`];
  if (text === '') return ['an end of the range is missing', 'write both ends, such as `1-5`'];
  return wrongName(text, spec) ?? [`\`${text}\` is no number`, `write a value from ${bounds}`];
}

function wrongName(text: string, spec: FieldSpec): Reason | undefined {
  const start = text.slice(0, 3).toLowerCase();
  const names: readonly string[] = namesOf(spec.name);
  if (/^[a-z]{4,}$/i.test(text) && names.includes(start)) {
    const rest = text.slice(3, 6).toLowerCase();
    const instead = names.includes(rest) ? `${start},${rest}` : start;
    return ['names have three letters, and a list has commas', `write \`${instead}\``];
  }
  if (!/^[a-z]+$/i.test(text)) return undefined;
  if (names.length > 0)
    return [
      `\`${text}\` is none of ${names.join(', ')}`,
      `write a name or a value from ${spec.min} to ${spec.most}`,
    ];
  return ['names are for months and weekdays', `write a value from ${spec.min} to ${spec.most}`];
}

function namesOf(field: FieldName): readonly string[] {
  switch (field) {
    case 'month':
      return MONTH_NAMES;
    case 'day of week':
      return WEEKDAY_NAMES;
    case 'minute':
    case 'hour':
    case 'day of month':
      return [];
  }
}

/** Ranges do not wrap: the same days or hours are two ranges, or a list where there is a step. */
function wrapped(ends: readonly string[], step: string | undefined, spec: FieldSpec): Reason {
  const [low = '', high = ''] = ends;
  const fix = step === undefined ? twoRanges(low, high, spec) : stepped(ends, Number(step), spec);
  return ['the range ends before it begins, and ranges do not wrap', `write \`${fix}\``];
}

function twoRanges(low: string, high: string, spec: FieldSpec): string {
  const names = /^[a-z]/i.test(low) ? namesOf(spec.name) : [];
  const first = names[0] ?? String(spec.min);
  const last = names[names.length - 1] ?? String(spec.max);
  const second = high.toLowerCase() === first ? high : `${first}-${high}`;
  return low.toLowerCase() === last ? `${low},${second}` : `${low}-${last},${second}`;
}

/** The second range begins where the steps of the first would have gone on. */
function stepped(ends: readonly string[], step: number, spec: FieldSpec): string {
  const [low = 0, high = 0] = ends.map((end) => valueAt(end, 0, end.length, spec));
  const first = `${low}-${spec.max}/${step}`;
  const onwards = spec.max - ((spec.max - low) % step) + step - (spec.max - spec.min + 1);
  return onwards > high ? first : `${first},${onwards}-${high}/${step}`;
}
