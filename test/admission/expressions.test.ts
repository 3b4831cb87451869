import { describe, expect, test } from 'vitest';
import { createEvaluator, type Result } from '#admission/cel/evaluator.ts';
import { plainValue } from '#admission/typed-value.ts';
import type { Json } from '#core/object/object.ts';
import { TRUE_EXPRESSIONS } from './true-expressions.ts';

function run(expression: string, self: Json = {}): Result {
  const compiled = createEvaluator().compile(expression, ['self']);
  if (!compiled.ok) return { state: 'open', reason: compiled.reason };
  return compiled.program.run(new Map([['self', plainValue(self)]]));
}

describe('an expression', () => {
  test.each(TRUE_EXPRESSIONS)('%s', (expression) => {
    expect(run(expression, { a: { c: 1 }, list: [{ x: 1 }] })).toEqual({ state: 'value', value: true });
  });

  test.each([
    ['self.missing == 1', 'No such key'],
    ['1 / 0 == 1', 'division by zero'],
    ['int("12x") == 1', 'no integer'],
    ['int("9223372036854775808") == 1', 'overflow'],
    ['9223372036854775807 + 1 > 0', 'overflow'],
    ['self + 1 == 2', 'no such overload'],
    ['"abc".matches("(")', 'regular expression'],
    ['"abc".substring(4) == ""', 'out of range'],
    ['quantity("x").isInteger()', 'no quantity'],
    ['timestamp("2026-01-01T00:00:00Z").getHours("Mars/Olympus") == 0', 'unknown time zone'],
    ['"%d".format(["a"]) == ""', 'format'],
    ['"%s %s".format(["a"]) == ""', 'format'],
    ['[1, "a"].isSorted()', 'no such overload'],
  ])('%s is an error of whoever wrote it', (expression, message) => {
    expect(run(expression)).toEqual({ state: 'error', message: expect.stringContaining(message) });
  });

  test.each([
    ['self.a == 1 || true', true],
    ['true || self.a == 1', true],
    ['self.a == 1 && false', false],
    ['[1, 2].exists(x, self.a == x || x == 2)', true],
  ])('%s holds whatever fails beside it', (expression, value) => {
    expect(run(expression)).toEqual({ state: 'value', value });
  });

  test.each([
    ['[1].sortBy(x, x)', 'the function sortBy is not known here'],
    ['format.named("dns1123Label").hasValue()', 'the function named is not known here'],
    ['false && nope(1)', 'the function nope is not known here'],
    ['object.x', 'Unknown variable'],
    ['1 +', 'Unexpected token'],
    ['1 + "a" == 2', 'no such overload'],
  ])('%s is left open: %s', (expression, reason) => {
    const result = run(expression);
    expect([
      result.state,
      'reason' in result ? result.reason : '',
      'message' in result ? result.message : '',
    ]).toEqual(
      reason === 'no such overload'
        ? ['error', '', expect.stringContaining(reason)]
        : ['open', expect.stringContaining(reason), ''],
    );
  });
});

describe('what an expression may cost', () => {
  const list = Array.from({ length: 2000 }, (_, index) => index);
  /** Each round is twice as large as the one before. */
  const doubled = (first: string, times: number): string =>
    `[${first}]${'.map(a, a + a)'.repeat(times)}.all(a, size(a) > 0)`;
  /** A list of itself, twice, again and again: small, and endless when it is walked. */
  const nested = `[self]${'.map(a, [a, a])'.repeat(40)}`;

  test.each([
    'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))',
    'self.map(a, self.map(b, self.map(c, a))).size() > 0',
    'self.filter(a, self.filter(b, self.filter(c, true).size() > 0).size() > 0).size() > 0',
    'self.exists_one(a, self.exists_one(b, self.exists(c, c < 0)))',
    doubled('"aaaaaaaaaa"', 40),
    doubled('self', 40),
    `${nested} == [self]${'.map(a, [a, a])'.repeat(40)}.map(a, a)`,
    `"%s".format(${nested}) == ""`,
    'self.map(a, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".matches("(a*)*(a*)*(a*)*b")).size() > 0',
    'self.map(a, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".replace("a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa").replace("a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")).size() > 0',
  ])('%s ends, and is left open', (expression) => {
    const started = performance.now();
    expect(run(expression, list)).toEqual({ state: 'open', reason: expect.stringContaining('steps') });
    // Not a measurement: what is not bounded takes hours.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('is bounded by its length and its depth', () => {
    expect(run(`true || ${'true || '.repeat(3000)}true`)).toMatchObject({
      reason: expect.stringContaining('characters'),
    });
    expect(run(`${'('.repeat(500)}true${')'.repeat(500)}`)).toMatchObject({
      reason: expect.stringContaining('maxDepth'),
    });
    expect(run(`${'-'.repeat(15_000)}1 == 1`).state).toBe('open');
  });

  test('is bounded over all expressions together', () => {
    const evaluator = createEvaluator();
    const compiled = evaluator.compile('self.all(a, self.all(b, b >= 0))', ['self']);
    if (!compiled.ok) throw new Error(compiled.reason);
    const values = new Map([['self', plainValue(Array.from({ length: 600 }, (_, index) => index))]]);
    const results = Array.from({ length: 80 }, () => compiled.program.run(values));
    expect(results[0]).toEqual({ state: 'value', value: true });
    expect(results.at(-1)).toEqual({ state: 'open', reason: expect.stringContaining('all rules together') });
  });
});
