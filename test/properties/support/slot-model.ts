import { IANAZone } from 'luxon';

/**
 * When a schedule fires, minute by minute: every instant on a whole minute whose civil time matches (cron.md 1).
 * Slow and simple on purpose; it shares no line with `src/core/slot`.
 */
export interface When {
  readonly expression: string;
  readonly zone: string;
}

interface Field {
  readonly values: ReadonlySet<number>;
  readonly star: boolean;
}

type Fields = readonly [Field, Field, Field, Field, Field];

const BOUNDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

function readElement(text: string, [low, high]: readonly [number, number]): number[] {
  const [range = '', stepText] = text.split('/');
  const step = stepText === undefined ? 1 : Number(stepText);
  const [fromText = '', toText] = range.split('-');
  const from = range === '*' ? low : Number(fromText);
  const last = stepText === undefined ? from : high;
  const to = range === '*' ? high : toText === undefined ? last : Number(toText);
  const values: number[] = [];
  for (let value = from; value <= to; value += step) values.push(value);
  return values;
}

function readField(text: string, bounds: readonly [number, number]): Field {
  const elements = text.split(',');
  return {
    values: new Set(elements.flatMap((element) => readElement(element, bounds))),
    star: elements.includes('*'),
  };
}

function readFields(expression: string): Fields {
  const texts = expression.split(' ');
  const [minute, hour, day, month, weekday] = BOUNDS.map((bounds, at) => readField(texts[at] ?? '', bounds));
  if (!minute || !hour || !day || !month || !weekday) throw new Error(`not five fields: ${expression}`);
  return [minute, hour, day, month, weekday];
}

/** Minutes to add to UTC, asked of the runtime once per quarter of an hour: no zone changes inside one. */
function offsetTable(zone: string): (minute: number) => number {
  const known = new Map<number, number>();
  const rules = IANAZone.create(zone);
  return (minute) => {
    const quarter = Math.floor(minute / 15);
    const offset = known.get(quarter) ?? rules.offset(quarter * 15 * 60_000);
    known.set(quarter, offset);
    return offset;
  };
}

function matches([minute, hour, day, month, weekday]: Fields, civil: Date): boolean {
  if (!minute.values.has(civil.getUTCMinutes()) || !hour.values.has(civil.getUTCHours())) return false;
  if (!month.values.has(civil.getUTCMonth() + 1)) return false;
  const days = [day.values.has(civil.getUTCDate()), weekday.values.has(civil.getUTCDay())];
  return day.star || weekday.star ? days.every(Boolean) : days.some(Boolean);
}

interface Line {
  readonly fires: (minute: number) => boolean;
  readonly known: Map<number, boolean>;
}

const lines = new Map<string, Line>();
const tables = new Map<string, (minute: number) => number>();

function lineOf({ expression, zone }: When): Line {
  const id = `${zone} ${expression}`;
  const old = lines.get(id);
  if (old !== undefined) return old;
  const fields = readFields(expression);
  const offset = tables.get(zone) ?? offsetTable(zone);
  tables.set(zone, offset);
  const line: Line = {
    fires: (minute) => matches(fields, new Date((minute + offset(minute)) * 60_000)),
    known: new Map(),
  };
  lines.set(id, line);
  return line;
}

function firesAt({ known, fires }: Line, at: number): boolean {
  const minute = at / 60;
  const old = known.get(minute);
  if (old !== undefined) return old;
  const now = fires(minute);
  known.set(minute, now);
  return now;
}

/** The latest slot in (after, until], found by walking back; undefined if there is none. */
export function latestIn(when: When, after: number, until: number): number | undefined {
  const line = lineOf(when);
  for (let at = Math.floor(until / 60) * 60; at > after; at -= 60) {
    if (firesAt(line, at)) return at;
  }
  return undefined;
}
