import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { labelValue } from '#core/object/label-value.ts';

describe('a name as a label value', () => {
  test.each([
    ['a name that fits stays', 'etcd', 'etcd'],
    ['63 characters fit', 'a'.repeat(63), 'a'.repeat(63)],
  ])('%s', (_name, given, wanted) => {
    expect(labelValue(given)).toBe(wanted);
  });

  test('64 characters are cut to 63 with the hash of the whole', () => {
    expect(labelValue('a'.repeat(64))).toMatch(/^a{54}-[0-9a-f]{8}$/);
  });

  test('names that are equal where they are cut stay apart', () => {
    expect(labelValue(`${'a'.repeat(63)}x`)).not.toBe(labelValue(`${'a'.repeat(63)}y`));
  });

  test('every long name of the API gives a valid label value', () => {
    const part = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?$/);
    const name = fc.array(part, { minLength: 2, maxLength: 6 }).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(name, (given) => {
        const value = labelValue(given);
        expect(value.length).toBeLessThanOrEqual(63);
        expect(value).toMatch(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/);
      }),
      { seed: 20_260_610, numRuns: 500 },
    );
  });
});
