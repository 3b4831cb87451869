import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeText } from '#render/escape-text.ts';

/** Code points that move the cursor, end a line, turn the direction of writing or cannot be seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

describe('text that could speak to the terminal is shown in full and does nothing', () => {
  const rows: readonly (readonly [name: string, given: string, want: string])[] = [
    ['clear screen', '\u001b[2J\u001b[1;1HAll good', '\\x1b[2J\\x1b[1;1HAll good'],
    ['overwriting a line', 'bad\rOK', 'bad\\rOK'],
    ['forging a second line', 'x\n1 to create', 'x\\n1 to create'],
    ['tab and bell', 'a\tb\u0007', 'a\\tb\\x07'],
    ['eight-bit control sequence', '\u009b31m', '\\x9b31m'],
    ['delete', 'a\u007f', 'a\\x7f'],
    ['right-to-left override', '\u202egnp.yaml', '\\u202egnp.yaml'],
    ['isolate', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['zero width', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
    ['tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
    ['line separator', 'a\u2028b', 'a\\u2028b'],
    ['lone surrogate', 'a\ud800b', 'a\\ud800b'],
    ['command for a CI log', '::error::all is lost', '\\x3a:error::all is lost'],
    ['command behind a blank', 'x ::set-output name=a::b', 'x \\x3a:set-output name=a::b'],
    ['older command anywhere', 'x##[error]y', 'x#\\x23[error]y'],
    ['ordinary text', 'nightly-1795921200: 5 → “ü” 日本 1::2', 'nightly-1795921200: 5 → “ü” 日本 1::2'],
  ];
  test.each(rows)('%s', (_name, given, want) => {
    expect(escapeText(given)).toBe(want);
  });
});

test('nothing unseen survives in any text, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = escapeText(text);
      expect(escaped).not.toMatch(UNSEEN);
      expect([...escaped].length).toBeGreaterThanOrEqual([...text].length);
    }),
  );
});
