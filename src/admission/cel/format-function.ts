import { EvaluationError } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { textOfDouble, textOfDuration, textOfTimestamp } from './conversions.ts';
import { asMap } from './equality.ts';
import type { FunctionSet } from './function-set.ts';
import type { Meter } from './meter.ts';
import { quoted } from './string-functions.ts';

/** What stands inside a list or a map; texts are quoted there. */
function inside(value: unknown, spend: Meter['spend']): string {
  if (typeof value === 'string') return quoted(value);
  // How a server writes these there is not the same in every version: the verdict is left open.
  if (value instanceof Date || value instanceof Duration || value instanceof Uint8Array)
    throw new Error('format: times and bytes in a list are not written here');
  return shown(value, spend);
}

/** What `%s` makes of a value; lists and maps are written out. */
function shown(value: unknown, spend: Meter['spend']): string {
  spend(1);
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return textOfDouble(value);
  if (value === null) return 'null';
  if (value instanceof Date) return textOfTimestamp(value);
  if (value instanceof Duration) return textOfDuration(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (Array.isArray(value)) return `[${value.map((item) => inside(item, spend)).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const map = asMap(value);
  if (map === undefined) return typeName(value);
  const entries = [...map].map(([key, item]) => `${inside(key, spend)}:${inside(item, spend)}`);
  return `{${entries.sort().join(', ')}}`;
}

/** Of what is neither plain data nor a time only types and unsigned numbers have a text. */
function typeName(value: object): string {
  if (value instanceof UnsignedInt) return String(value);
  if ('name' in value && typeof value.name === 'string') return value.name;
  throw new EvaluationError('format: %s does not go with the value');
}

function mismatch(verb: string): never {
  throw new EvaluationError(`format: %${verb} does not go with the value`);
}

function integerOf(value: unknown, verb: string): bigint {
  if (typeof value === 'bigint') return value;
  return value instanceof UnsignedInt ? value.value : mismatch(verb);
}

function hex(value: unknown, verb: string): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  if (!(bytes instanceof Uint8Array)) return integerOf(value, verb).toString(16);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function formatted(
  verb: string,
  precision: string | undefined,
  value: unknown,
  spend: Meter['spend'],
): string {
  const digits = Math.min(100, Number(precision ?? 6));
  switch (verb) {
    case 's':
      return shown(value, spend);
    case 'd':
      return String(integerOf(value, verb));
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integerOf(value, verb).toString(2);
    case 'o':
      return integerOf(value, verb).toString(8);
    case 'x':
      return hex(value, verb);
    case 'X':
      return hex(value, verb).toUpperCase();
    case 'f':
      return typeof value === 'number' ? value.toFixed(digits) : mismatch(verb);
    case 'e':
      // A server writes powers in the manner of its locale.
      throw new Error('format: %e is not written here');
    default:
      throw new EvaluationError(`format: %${verb} is not known`);
  }
}

/** `'%s has %d'.format([name, count])`. */
export function addFormatFunction({ add }: FunctionSet, { spend }: Meter): void {
  add('string.format(list): string', (pattern: string, values: readonly unknown[]) => {
    let next = 0;
    const made = pattern.replace(/%(?:%|(?:\.(\d{1,3}))?([A-Za-z]?))/g, (all, precision, verb) => {
      if (all === '%%') return '%';
      if (next >= values.length) throw new EvaluationError('format: fewer values than the text asks for');
      return formatted(String(verb), precision, values[next++], spend);
    });
    spend(made.length);
    return made;
  });
}
