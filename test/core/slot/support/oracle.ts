/*
 * The brute force that the engine is measured against: it shares no line with it. Fields are sets of numbers, civil
 * time comes from Intl, and every minute is looked at.
 */

interface OracleFields {
  readonly sets: readonly ReadonlySet<number>[];
  readonly either: boolean;
}

const BOUNDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;
const NAMES: readonly Readonly<Record<string, number>>[] = [
  {},
  {},
  {},
  { JAN: 1, FEB: 2, MAR: 3, APR: 4, MAY: 5, JUN: 6, JUL: 7, AUG: 8, SEP: 9, OCT: 10, NOV: 11, DEC: 12 },
  { SUN: 0, MON: 1, TUE: 2, WED: 3, THU: 4, FRI: 5, SAT: 6 },
];

/** Reads well-formed fields of the Kubernetes grammar. */
function oracleFields(expression: string): OracleFields {
  const parsed = expression.split(' ').map((field, index) => oracleField(field, index));
  const either = parsed[2]?.star === false && parsed[4]?.star === false;
  return { sets: parsed.map((field) => field.values), either };
}

function oracleField(field: string, index: number): { values: Set<number>; star: boolean } {
  const [min, max] = BOUNDS[index] ?? [0, 0];
  const number = (text: string) => NAMES[index]?.[text.toUpperCase()] ?? Number(text);
  const values = new Set<number>();
  let star = false;
  for (const element of field.split(',').filter((text) => text !== '')) {
    const [range = '', step = '1'] = element.split('/');
    const [from = '', to] = range.split('-');
    const open = from === '*' || from === '?';
    const low = open ? min : number(from);
    const high = open ? max : to !== undefined ? number(to) : element.includes('/') ? max : low;
    for (let value = low; value <= high; value += Number(step)) values.add(value);
    if (open && Number(step) === 1) star = true;
  }
  return { values, star };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Seconds east of UTC by Intl. */
export function oracleOffset(zone: string, at: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  const parts = new Map(format.formatToParts(at * 1000).map((part) => [part.type, Number(part.value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local / 1000 - at;
}

/** Whether a civil minute, given as if it were UTC, matches. */
function oracleMatches(fields: OracleFields, local: number): boolean {
  const [minutes, hours, days, months, weekdays] = fields.sets;
  const date = new Date(local * 1000);
  if (minutes?.has(date.getUTCMinutes()) !== true || hours?.has(date.getUTCHours()) !== true) return false;
  if (months?.has(date.getUTCMonth() + 1) !== true) return false;
  const day = days?.has(date.getUTCDate()) === true;
  const weekday = weekdays?.has(date.getUTCDay()) === true;
  return fields.either ? day || weekday : day && weekday;
}

/** Every instant of [from, end) whose civil time is a whole minute, with that civil time; hours without a change are taken whole. */
function* civilMinutes(
  zone: string,
  from: number,
  end: number,
): Generator<readonly [at: number, local: number]> {
  for (let hour = from; hour < end; hour += 3600) {
    const first = oracleOffset(zone, hour);
    const constant = first === oracleOffset(zone, hour + 3599);
    const stop = Math.min(end, hour + 3600);
    const step = constant && first % 60 === 0 ? 60 : 1;
    let at = step === 60 ? Math.ceil(hour / 60) * 60 : hour;
    for (; at < stop; at += step) {
      const local = at + (constant ? first : oracleOffset(zone, at));
      if (local % 60 === 0) yield [at, local];
    }
  }
}

/** The clean rule, minute by minute. */
export function bruteForce(expression: string, zone: string, from: number, end: number): number[] {
  const fields = oracleFields(expression);
  const slots: number[] = [];
  for (const [at, local] of civilMinutes(zone, from, end)) if (oracleMatches(fields, local)) slots.push(at);
  return slots;
}

const plainTime = /^\d+ \d+ /;

/** The safe rule by its words: a fixed time that is missing runs when the gap ends, one that comes twice runs once. */
export function bruteForceSafe(expression: string, zone: string, from: number, end: number): number[] {
  if (!plainTime.test(expression)) return bruteForce(expression, zone, from, end);
  const fields = oracleFields(expression);
  const slots = new Set<number>();
  const before = 3 * 86_400;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [at, local] of civilMinutes(zone, from - before, end)) {
    for (let missing = reached + 60; missing < local && reached > 0; missing += 60) {
      if (oracleMatches(fields, missing)) slots.add(at);
    }
    if (local > reached && oracleMatches(fields, local)) slots.add(at);
    reached = Math.max(reached, local);
  }
  return [...slots].filter((slot) => slot >= from).sort((a, b) => a - b);
}
