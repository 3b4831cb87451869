import { EvaluationError } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { regexSearches } from '#admission/cel/regular-expressions.ts';

function found(
  expression: string,
  text: string,
  spend: (steps: number) => void = () => {},
): string | undefined {
  return regexSearches({ spend })(text, expression)()?.text;
}

describe('a regular expression', () => {
  test.each([
    ['a|ab', 'ab', 'a'],
    ['(?:a|ab)(?:c|bcd)', 'abcd', 'abcd'],
    ['a+?', 'aaa', 'a'],
    ['(?U)a+', 'aaa', 'a'],
    ['(?U)a+?', 'aaa', 'aaa'],
    ['x*', 'axx', ''],
    ['[^a-c]+', 'abcxyz', 'xyz'],
    ['[]a]+', 'xa]', 'a]'],
    ['[a-]+', 'b-a', '-a'],
    ['[[:alpha:]]+', '12ab', 'ab'],
    ['[[:^digit:]]+', '12ab', 'ab'],
    ['[\\s\\pZ]x', '\u00a0x', '\u00a0x'],
    ['\\s', '\u00a0', undefined],
    ['\\p{Greek}+', 'abγδ', 'γδ'],
    ['\\P{Greek}', 'γa', 'a'],
    ['\\p{^Greek}', 'γa', 'a'],
    ['\\PL', 'a1', '1'],
    ['.', '\u{1f600}', '\u{1f600}'],
    ['a.b', 'a\nb', undefined],
    ['(?s)a.b', 'a\nb', 'a\nb'],
    ['^b$', 'a\nb', undefined],
    ['(?m)^b$', 'a\nb\nc', 'b'],
    ['b$', 'b\n', undefined],
    ['\\Ab\\z', 'b', 'b'],
    ['(?i)abc', 'xABC', 'ABC'],
    ['a(?i)b', 'aB', 'aB'],
    ['a(?i:b)c', 'aBc', 'aBc'],
    ['a(?i:b)c', 'aBC', undefined],
    ['\\bfoo\\b', 'a foo b', 'foo'],
    ['o\\B', 'foo', 'o'],
    ['a{2,3}', 'aaaa', 'aaa'],
    ['a{2}', 'a', undefined],
    ['a{,2}', 'a{,2}', 'a{,2}'],
    ['\\Qa.b\\E+', 'a.bb', 'a.bb'],
    ['\\x41\\x{1F600}\\101', 'A\u{1f600}A', 'A\u{1f600}A'],
    ['(?P<n>a)(?<m>b)', 'ab', 'ab'],
    ['\\.\\/', './', './'],
    ['(|a)*', 'a', ''],
    ['(?i-i)A', 'a', undefined],
    ['a(?i){2}', 'aa', 'aa'],
    ['a(?i)*', 'aa', 'aa'],
    ['a\\Q\\E*', 'aa', 'aa'],
    ['\\x{0000000041}', 'A', 'A'],
  ])('%s finds in %j: %j', (expression, text, wanted) => {
    expect(found(expression, text)).toBe(wanted);
  });

  test.each([
    'a**',
    '(a',
    'a)',
    '[a',
    '(?=a)',
    '(?<!a)',
    '\\1',
    '\\k',
    'a{1001}',
    '[b-a]',
    '\\p{Nope}',
    '+a',
    'a{3,2}',
    'a|{2}',
    '({2})',
    '(x{100}){11}',
  ])('%s is refused, as by RE2', (expression) => {
    expect(() => found(expression, '')).toThrow(EvaluationError);
  });

  test('finds what the engine of JavaScript finds, where both know the syntax', () => {
    const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '(?:a|b)', '(?:ab|a)', '(?:)');
    const sign = fc.constantFrom('', '*', '+', '?', '*?', '+?', '??', '{1,2}');
    const part = fc.tuple(atom, sign).map(([one, many]) => one + many);
    const sequence = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
    const expression = fc
      .tuple(
        fc.constantFrom('', '^'),
        fc.array(sequence, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '$'),
      )
      .map(([start, choices, end]) => `${start}(?:${choices.join('|')})${end}`);
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(expression, text, (one, other) => {
        expect(found(one, other)).toBe(new RegExp(one, 'u').exec(other)?.[0]);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(['(a+)+$', '(a|a)*c$', '(a?){25}a{25}$', '(.*)*x$'])(
    '%s costs no more than its length times that of the text',
    (expression) => {
      let steps = 0;
      const spend = (count: number): void => {
        steps += count;
      };
      expect(found(expression, `${'a'.repeat(500)}b`, spend)).toBeUndefined();
      expect(steps).toBeLessThan(500 * 200);
    },
  );

  test('is refused when its repetitions multiply', () => {
    expect(() => found('((a{1000}){1000}){1000}', '')).toThrow('invalid repeat count');
  });
});
