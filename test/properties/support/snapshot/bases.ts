import { IANAZone } from 'luxon';

/*
 * Base slots, minute by minute: every whole minute whose civil time matches (cron.md 1), with the safe rule of
 * snapshot-schedule.md 2.9 for expressions in which minute and hour are plain numbers. Slow and simple on purpose; it
 * shares no line with `src/core/slot`.
 */

interface Field {
  readonly values: ReadonlySet<number>;
  readonly star: boolean;
}

interface Line {
  readonly minute: Field;
  readonly hour: Field;
  readonly day: Field;
  readonly month: Field;
  readonly weekday: Field;
  /** Minute and hour are one plain number each. */
  readonly fixed: boolean;
  readonly zone: string;
  /** Base slots by the UTC day in which they lie. */
  readonly days: Map<number, readonly number[]>;
}

const BOUNDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

function readElement(text: string, [low, high]: readonly [number, number]): number[] {
  const [range = '', stepText] = text.split('/');
  const [fromText = '', toText] = range.split('-');
  const open = range === '*' || range === '?';
  const from = open ? low : Number(fromText);
  const alone = stepText === undefined ? from : high;
  const to = open ? high : toText === undefined ? alone : Number(toText);
  const values: number[] = [];
  for (let value = from; value <= to; value += Number(stepText ?? 1)) values.push(value);
  return values;
}

function readField(text: string, bounds: readonly [number, number]): Field {
  const elements = text.split(',');
  return {
    values: new Set(elements.flatMap((element) => readElement(element, bounds))),
    star: elements.some((element) => ['*', '?', '*/1'].includes(element)),
  };
}

function readLine(expression: string, zone: string): Line {
  const texts = expression.trim().split(/\s+/);
  const [minute, hour, day, month, weekday] = BOUNDS.map((bounds, at) => readField(texts[at] ?? '', bounds));
  if (!minute || !hour || !day || !month || !weekday) throw new Error(`not five fields: ${expression}`);
  // Sunday is 0 and 7.
  const weekdays = new Set([...weekday.values].map((value) => value % 7));
  const fixed = /^\d+ \d+ /.test(texts.join(' '));
  return {
    minute,
    hour,
    day,
    month,
    weekday: { ...weekday, values: weekdays },
    fixed,
    zone,
    days: new Map(),
  };
}

const MINUTES = 1440;

/** Of every UTC minute of a day: its civil minute, as if that were UTC, and the latest one that was there before. */
interface CivilDay {
  readonly local: readonly number[];
  readonly reached: readonly number[];
}

const rules = new Map<string, IANAZone>();
const offsets = new Map<string, number>();
const civilDays = new Map<string, CivilDay>();

/** Minutes to add to UTC, asked of the runtime once per quarter of an hour: no zone changes inside one. */
function offsetAt(zone: string, minute: number): number {
  const quarter = Math.floor(minute / 15);
  const id = `${zone} ${quarter}`;
  const known = offsets.get(id);
  if (known !== undefined) return known;
  const rule = rules.get(zone) ?? IANAZone.create(zone);
  rules.set(zone, rule);
  const offset = rule.offset(quarter * 15 * 60_000);
  offsets.set(id, offset);
  return offset;
}

/** Further back than any change moves the clock. */
const BEFORE = 2 * MINUTES;

function civilDay(zone: string, day: number): CivilDay {
  const id = `${zone} ${day}`;
  const known = civilDays.get(id);
  if (known !== undefined) return known;
  const first = day * MINUTES;
  let latest = Number.NEGATIVE_INFINITY;
  for (let minute = first - BEFORE; minute < first; minute++)
    latest = Math.max(latest, minute + offsetAt(zone, minute));
  const local: number[] = [];
  const reached: number[] = [];
  for (let minute = first; minute < first + MINUTES; minute++) {
    const civil = minute + offsetAt(zone, minute);
    local.push(civil);
    reached.push(latest);
    latest = Math.max(latest, civil);
  }
  const made = { local, reached };
  civilDays.set(id, made);
  return made;
}

function matches({ minute, hour, day, month, weekday }: Line, civil: number): boolean {
  if (!minute.values.has(civil % 60) || !hour.values.has(Math.floor(civil / 60) % 24)) return false;
  const date = new Date(civil * 60_000);
  if (!month.values.has(date.getUTCMonth() + 1)) return false;
  const days = [day.values.has(date.getUTCDate()), weekday.values.has(date.getUTCDay())];
  return day.star || weekday.star ? days.every(Boolean) : days.some(Boolean);
}

/** A fixed time that the clock leaps over runs when the leap is over. */
function leapsOver(line: Line, reached: number, civil: number): boolean {
  for (let missing = reached + 1; missing < civil; missing++) if (matches(line, missing)) return true;
  return false;
}

function isBase(line: Line, civil: number, reached: number): boolean {
  if (!line.fixed) return matches(line, civil);
  // One that comes twice runs in the first pass.
  return civil > reached && (matches(line, civil) || leapsOver(line, reached, civil));
}

function basesOfDay(line: Line, day: number): readonly number[] {
  const known = line.days.get(day);
  if (known !== undefined) return known;
  const { local, reached } = civilDay(line.zone, day);
  const bases: number[] = [];
  for (const [index, civil] of local.entries()) {
    if (isBase(line, civil, reached[index] ?? civil)) bases.push((day * MINUTES + index) * 60);
  }
  line.days.set(day, bases);
  return bases;
}

const lines = new Map<string, Line>();

/** Every base slot in [from, to], in order; the expression has numbers for every `H`. */
export function* basesFrom(expression: string, zone: string, from: number, to: number): Generator<number> {
  const id = `${zone} ${expression}`;
  const line = lines.get(id) ?? readLine(expression, zone);
  lines.set(id, line);
  const last = Math.floor(to / 86_400);
  for (let day = Math.floor(from / 86_400); day <= last; day++) {
    for (const base of basesOfDay(line, day)) if (base >= from && base <= to) yield base;
  }
}
