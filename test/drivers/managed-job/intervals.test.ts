import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  commonSize,
  firstAbsent,
  formatIntervals,
  hasIndex,
  intervalsOf,
  parseIntervals,
  sizeOf,
  union,
} from '#drivers/managed-job/intervals.ts';

const END = 40;
const indexes = fc.array(fc.nat({ max: END - 1 }), { maxLength: 30 });

test('a list is written as the API writes it', () => {
  expect(formatIntervals(intervalsOf([9, 2, 4, 5, 8, 7, 4]))).toBe('2,4,5,7-9');
  expect(formatIntervals([])).toBe('');
});

test('what a list names at or above the end, and what cannot be read, is left out', () => {
  expect(formatIntervals(parseIntervals('0-2,x,4-,5,8-12,20', 10))).toBe('0-2,5,8,9');
});

test('a written list is read again', () => {
  fc.assert(
    fc.property(indexes, (list) => {
      const intervals = intervalsOf(list);
      expect(parseIntervals(formatIntervals(intervals), END)).toEqual(intervals);
    }),
  );
});

test('they are sets', () => {
  fc.assert(
    fc.property(indexes, indexes, fc.nat({ max: 10 }), (a, b, count) => {
      const [left, right] = [intervalsOf(a), intervalsOf(b)];
      const all = new Set([...a, ...b]);
      expect(union(left, right)).toEqual(intervalsOf(all));
      expect(sizeOf(left)).toBe(new Set(a).size);
      expect(commonSize(left, right)).toBe([...new Set(a)].filter((one) => b.includes(one)).length);
      const numbers = Array.from({ length: END }, (_, index) => index);
      expect(numbers.filter((index) => hasIndex(left, index))).toEqual(
        numbers.filter((index) => a.includes(index)),
      );
      expect(firstAbsent(left, count, END)).toEqual(
        numbers.filter((index) => !a.includes(index)).slice(0, count),
      );
    }),
  );
});
