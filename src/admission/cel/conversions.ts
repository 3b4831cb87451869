import { EvaluationError } from '@marcbachmann/cel-js';
import type { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { instant } from '#core/time/instant.ts';
import { offsetAt, openZone } from '#core/time/zone.ts';
import { zoneNameProblem } from '#core/time/zone-name.ts';
import type { FunctionSet } from './function-set.ts';

const TIMESTAMP = 'google.protobuf.Timestamp';
const DURATION = 'google.protobuf.Duration';

function inRange(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new EvaluationError('integer overflow');
  return value;
}

function intOfText(text: string): bigint {
  const match = /^([-+]?)0*(\d{1,20})$/.exec(text);
  if (match === null) throw new EvaluationError(`no integer: ${text.slice(0, 40)}`);
  const amount = BigInt(match[2] ?? '');
  return inRange(match[1] === '-' ? -amount : amount);
}

function intOfDouble(value: number): bigint {
  if (!Number.isFinite(value)) throw new EvaluationError('integer overflow');
  return inRange(BigInt(Math.trunc(value)));
}

/** As Go writes a double with as few digits as tell it from others. */
export function textOfDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

export function textOfDuration(value: Duration): string {
  const negative = value.seconds < 0n || value.nanos < 0;
  const seconds = value.seconds < 0n ? -value.seconds : value.seconds;
  const fraction = String(Math.abs(value.nanos)).padStart(9, '0').replace(/0+$/, '');
  return `${negative ? '-' : ''}${seconds}${fraction === '' ? '' : `.${fraction}`}s`;
}

export function textOfTimestamp(value: Date): string {
  return value.toISOString().replace(/\.?0+Z$/, 'Z');
}

function addIntegerConversions({ add }: FunctionSet): void {
  add('int(int): int', (value: bigint) => value);
  add('int(uint): int', (value: UnsignedInt) => inRange(value.value));
  add('int(double): int', intOfDouble);
  add('int(string): int', intOfText);
  add(`int(${TIMESTAMP}): int`, (value: Date) => BigInt(Math.floor(value.getTime() / 1000)));
  add(`int(${DURATION}): int`, (value: Duration) => value.seconds * 1_000_000_000n + BigInt(value.nanos));
}

function addTextConversions({ add }: FunctionSet): void {
  add('string(string): string', (value: string) => value);
  add('string(bool): string', String);
  add('string(int): string', String);
  add('string(uint): string', String);
  add('string(double): string', textOfDouble);
  add('string(bytes): string', (value: Uint8Array) => new TextDecoder().decode(value));
  add(`string(${TIMESTAMP}): string`, textOfTimestamp);
  add(`string(${DURATION}): string`, textOfDuration);
}

/** Seconds east of UTC of a zone by its name, or of an offset such as `+03:00`. */
function offsetOf(zone: string, at: Date): number {
  const fixed = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone);
  if (fixed !== null) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 3600 + Number(fixed[3]) * 60);
  const name = zone === '' ? 'UTC' : zone;
  if (zoneNameProblem(name) !== undefined)
    throw new EvaluationError(`unknown time zone ${name.slice(0, 60)}`);
  return offsetAt(openZone(name), instant(Math.floor(at.getTime() / 1000)));
}

const DAY = 86_400_000;

const FIELDS: Readonly<Record<string, (date: Date) => number>> = {
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY),
  getFullYear: (date) => date.getUTCFullYear(),
  getHours: (date) => date.getUTCHours(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
  getMinutes: (date) => date.getUTCMinutes(),
  getMonth: (date) => date.getUTCMonth(),
  getSeconds: (date) => date.getUTCSeconds(),
};

/** The clock of a zone; the library would ask that of this machine. */
function addTimeFields({ add }: FunctionSet): void {
  for (const [name, field] of Object.entries(FIELDS)) {
    add(`${TIMESTAMP}.${name}(): int`, (date: Date) => BigInt(field(date)));
    add(`${TIMESTAMP}.${name}(string): int`, (date: Date, zone: string) =>
      BigInt(field(new Date(date.getTime() + offsetOf(zone, date) * 1000))),
    );
  }
  const fields = ['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'] as const;
  for (const name of fields) add(`${DURATION}.${name}(): int`, (value: Duration) => value[name]());
}

export function addConversions(set: FunctionSet): void {
  addIntegerConversions(set);
  addTextConversions(set);
  addTimeFields(set);
}
