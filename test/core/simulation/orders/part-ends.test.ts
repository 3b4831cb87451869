import { expect, test } from 'vitest';
import { endOfPart, type PartRule } from '#core/simulation/orders/part-ends.ts';

function rule(seconds: readonly [number, ...number[]], of: Omit<PartRule, 'ends'> = {}): PartRule {
  const [first, ...others] = seconds.map((one) => ({ seconds: one, end: { exitCode: 0 } }));
  return { ...of, ends: [first ?? { seconds: 0, end: { exitCode: 0 } }, ...others] };
}

const RULES: readonly PartRule[] = [
  rule([3], { order: 'a', places: [{ first: 2, last: 4 }] }),
  rule([1]),
  rule([2, 20], { order: 'a' }),
  rule([4], { order: 'b' }),
  rule([5], { order: 'b' }),
];

test.each([
  ['what is given for all', 'c', 0, 0, 1],
  ['what is given for the order wins', 'a', 0, 0, 2],
  ['what is given for the place wins over that, wherever it stands', 'a', 3, 0, 3],
  ['both ends of a range belong to it', 'a', 4, 0, 3],
  ['and nothing beyond them', 'a', 5, 0, 2],
  ['a place is none where there are no places', 'a', undefined, 0, 2],
  ['each takes its turn', 'a', 0, 1, 20],
  ['the last end is that of all further ones', 'a', 0, 7, 20],
  ['of two that are as close the last one', 'b', undefined, 0, 5],
] as const)('%s', (_, name, place, before, seconds) => {
  const ends = { rules: RULES, seconds: 300, outcome: 'succeeded' } as const;
  expect(endOfPart(ends, { names: [name], place, before }, 300).seconds).toBe(seconds);
});

test('the name may be that of the schedule that makes the order', () => {
  const ends = { rules: [rule([7], { order: 'nightly' })], seconds: 300, outcome: 'succeeded' } as const;
  const turn = { names: ['nightly-29933280', 'nightly'], place: undefined, before: 0 };
  expect(endOfPart(ends, turn, 60).seconds).toBe(7);
});

test('without a rule a part is like a run', () => {
  const turn = { names: ['a'], place: 1, before: 0 };
  const of = (outcome: 'succeeded' | 'failed') => endOfPart({ rules: [], seconds: 300, outcome }, turn, 90);
  expect(of('succeeded')).toEqual({ seconds: 90, end: { exitCode: 0 } });
  expect(of('failed')).toEqual({ seconds: 90, end: { exitCode: 1 } });
});
