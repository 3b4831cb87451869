import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeMarkup } from '#render/escape-markup.ts';
import { codeSpan, diffBlock, htmlCode } from '#render/markdown/code.ts';
import { commentMarker } from '#render/markdown/comment-marker.ts';
import { details } from '#render/markdown/details.ts';
import { escapeMarkdown } from '#render/markdown/escape-markdown.ts';
import { inertLine, shortened } from '#render/markdown/inert.ts';
import { table } from '#render/markdown/table.ts';
import { decoded, prose, structureOf, tokensOf } from './parsed.ts';

const SPECIAL = [...'`|\\*_[]()<>&#@!~$:/-+=.1a \n"{}'];
/** Mostly what Markdown reads, and anything else. */
const hostile = fc.string({
  unit: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...SPECIAL) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('http://a.b', 'www.a.b', '<!--', '-->', '</details>', '```', '~~~', 'a@b.c'),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  ),
  maxLength: 40,
});

describe('prose', () => {
  const rows: readonly (readonly [name: string, given: string, want: string])[] = [
    ['a mention', '@all-hands please merge', '`@all-hands` please merge'],
    ['the number of an issue', 'fixes #1', 'fixes `#1`'],
    ['an issue of another repository', 'acme/web#12', '`acme/web#12`'],
    ['a ticket', 'GH-12 and ABC-7', '`GH-12` and `ABC-7`'],
    ['a merge request, a label and a milestone', '!1 ~bug %"v1"', '`!1` `~bug` `%"v1`"'],
    ['a milestone of two words', '%"v 1"', '`%"v` 1"'],
    ['an epic', '&4', '`&4`'],
    ['a reference in brackets', '[issue:4]', '`[issue:4]`'],
    ['a link', '[ok](http://evil.test)', '`[ok](http://evil.test`)'],
    ['an address', 'see www.evil.test', 'see `www.evil.test`'],
    ['an emoji', 'all :white_check_mark:', 'all `:white_check_mark:`'],
    ['a commit', 'as of 1a2b3c4', 'as of `1a2b3c4`'],
    ['a commit between other signs', 'see ("1a2b3c4"), too', 'see ("`1a2b3c4`"), too'],
    ['the name of a run', 'Job nightly-29681460.', 'Job `nightly-29681460`.'],
    ['backticks about a reference', '`@team`', '`` `@team` ``'],
    ['a formula', '$x$', '`$x$`'],
    ['a sign of money', '5 $', '5 <span>$</span>'],
    ['a command of the host', '/merge', '&#47;merge'],
    ['a heading', '# Approved', '&#35; Approved'],
    ['a list', '- [x] approved', '&#45; &#91;x&#93; approved'],
    ['a numbered list', '1. approved', '1&#46; approved'],
    ['a second line', 'a\nb', 'a&#92;nb'],
    ['our own marker', '<!-- minutehand:diff 1 -->', '&lt;&#92;x21-- minutehand:diff 1 --&gt;'],
    ['a time', '2026-06-10T03:00:10Z', '2026-06-10T03:00:10Z'],
    ['ordinary words', 'harbor/nightly: “ü” 日本, 3 of 4', 'harbor/nightly: “ü” 日本, 3 of 4'],
  ];
  test.each(rows)('%s stays text', (_name, given, want) => {
    expect(escapeMarkdown(given)).toBe(want);
  });

  test('is one paragraph of nothing but text and code, whatever it was made of, and reads the same', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = escapeMarkdown(text);
        const tokens = tokensOf(escaped).filter(({ raw }) => raw !== '<span>' && raw !== '</span>');
        const kinds = tokens.map(({ type }) => type);
        expect(kinds.filter((type) => type !== 'text' && type !== 'codespan')).toEqual(
          text.trim() === '' ? [] : ['paragraph'],
        );
        const read = tokens.map((token) => {
          if (token.type === 'codespan') return token.text;
          return token.type === 'text' ? decoded(token.raw) : '';
        });
        expect(read.join('')).toBe(inertLine(text.trim()));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is what was written where it is copied: nothing that cannot be seen', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(decoded(escapeMarkdown(text))).not.toMatch(/\p{Cf}/u);
      }),
    );
  });

  test('speaks to nobody', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const read = prose(escapeMarkdown(text));
        expect(read).not.toMatch(/@\w|#\w|https?:\/\/|www\.|!\d|\bGH-\d/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('code', () => {
  const rows: readonly (readonly [given: string, want: string])[] = [
    ['a', '`a`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['````', '````` ```` `````'],
    [' a ', '`  a  `'],
    ['', '`""`'],
    ['a\nb', '`a\\nb`'],
    ['<!-- minutehand:diff 1 -->', '`<\\x21-- minutehand:diff 1 -->`'],
  ];
  test.each(rows)('in a line: %j', (given, want) => {
    expect(codeSpan(given)).toBe(want);
  });

  test('in a line is one span with the text as it is', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        fc.pre(text.trim() !== '');
        const markdown = `before ${codeSpan(text)} after`;
        expect(structureOf(markdown)).toEqual(['paragraph', 'text', 'codespan', 'text']);
        const span = tokensOf(markdown).find(({ type }) => type === 'codespan');
        expect(span?.type === 'codespan' ? span.text : '').toBe(inertLine(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('at the beginning of a line opens no block', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(structureOf(codeSpan(text))).toEqual(['paragraph', 'codespan']);
      }),
      { numRuns: 2_000 },
    );
  });

  test('between tags is text, too', () => {
    expect(htmlCode('a|b @x </details>')).toBe('<code>a&#124;b &#64;x &#60;/details&#62;</code>');
    fc.assert(
      fc.property(hostile, (text) => {
        expect(decoded(htmlCode(text).slice('<code>'.length, -'</code>'.length))).toBe(inertLine(text));
      }),
    );
  });

  test('of several lines is one block with the text as it is, whatever fences it holds', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 5 }), (lines) => {
        const flat = lines.map((line) => line.replace(/[\r\n]/g, ' '));
        fc.pre(flat.at(-1) !== '');
        const [block, ...rest] = tokensOf(`${diffBlock(flat.join('\n'))}\nafter\n`);
        expect(rest.map(({ type }) => type)).toEqual(['paragraph', 'text']);
        expect(block?.type === 'code' ? block.text : undefined).toBe(flat.map(inertLine).join('\n'));
      }),
      { numRuns: 1_000 },
    );
    expect(diffBlock('a\r\nb\n')).toBe('```diff\na\nb\n```\n');
    expect(diffBlock('```\n# Approved\n```')).toBe('````diff\n```\n# Approved\n```\n````\n');
  });
});

describe('a table', () => {
  test('has as many cells as it was given, whatever is in them', () => {
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        const markdown = table(
          [{ title: 'name' }, { title: escapeMarkdown(b), align: 'right' }],
          [
            [codeSpan(a), escapeMarkdown(b)],
            [codeSpan(b), ''],
          ],
        );
        const found = tokensOf(markdown).find(({ type }) => type === 'table');
        expect(found?.type === 'table' ? found.rows.map((row) => row.length) : []).toEqual([2, 2]);
        const spans = (text: string): number =>
          tokensOf(text).filter(({ type }) => type === 'codespan').length;
        expect(spans(markdown)).toBe(2 + 2 * spans(escapeMarkdown(b)));
        expect(
          tokensOf(markdown).filter(({ type }) => type === 'table' || type === 'paragraph'),
        ).toHaveLength(1);
      }),
      { numRuns: 2_000 },
    );
  });

  test('shows pipes, and fills rows that are too short', () => {
    expect(table([{ title: 'a' }, { title: 'b', align: 'right' }], [[codeSpan('x|y')]])).toBe(
      '| a | b |\n| --- | ---: |\n| `x\\|y` |  |\n',
    );
    const cell = tokensOf(table([{ title: 'a' }], [[codeSpan('x|y')]])).find(
      ({ type }) => type === 'codespan',
    );
    expect(cell?.type === 'codespan' ? cell.text : '').toBe('x|y');
  });
});

describe('what opens on a click', () => {
  test('is closed by nothing in its summary or body', () => {
    const markdown = details(
      escapeMarkup('</summary></details>'),
      diffBlock('</details>\n<img src=x onerror=1>'),
    );
    expect(structureOf(`${markdown}\nafter\n`)).toEqual([
      'html <details><summary/>',
      'code',
      'html </details>',
      'paragraph',
      'text',
    ]);
  });
});

describe('the marker', () => {
  test('is one comment, whatever the id', () => {
    expect(commentMarker('diff', 'main')).toBe('<!-- minutehand:diff main -->');
    expect(commentMarker('diff', 'a-->b--')).toBe('<!-- minutehand:diff a%2D-%3Eb%2D%2D -->');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        expect(commentMarker('diff', id)).toMatch(
          /^<!-- minutehand:diff (?:(?!--)[\w.!~*'()%-])*(?<!-) -->$/,
        );
      }),
    );
  });

  test('is another one for another id', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        fc.pre(a !== b);
        expect(commentMarker('diff', a)).not.toBe(commentMarker('diff', b));
      }),
    );
  });

  test('is made by no text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const all = [escapeMarkdown(text), codeSpan(text), diffBlock(text), htmlCode(text)];
        expect(all.join('\n')).not.toContain('<!--');
      }),
    );
  });
});

test('a shortened text ends at a whole character', () => {
  expect(shortened('abc', 3)).toBe('abc');
  expect(shortened('abcd', 3)).toBe('ab…');
  expect(shortened('a😀b', 3)).toBe('a…');
  expect(shortened('日本語です', 4)).toBe('日本語…');
});
