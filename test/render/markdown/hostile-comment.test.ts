import { describe, expect, test } from 'vitest';
import { escapeMarkup } from '#render/escape-markup.ts';
import { codeSpan, diffBlock, htmlCode } from '#render/markdown/code.ts';
import { commentMarker } from '#render/markdown/comment-marker.ts';
import { details } from '#render/markdown/details.ts';
import { escapeMarkdown } from '#render/markdown/escape-markdown.ts';
import { fitMarkdown } from '#render/markdown/fit-markdown.ts';
import { table } from '#render/markdown/table.ts';
import { partsOf, prose } from './parsed.ts';

/** A comment with the value in every place that a text of an object, a condition, a path or a parser can have. */
function comment(value: string): string {
  const rows = [
    [codeSpan(value), escapeMarkdown(value)],
    [escapeMarkdown(value), codeSpan(value)],
  ];
  const full = [
    `Held: ${escapeMarkdown(value)}, see ${codeSpan(value)}.`,
    table([{ title: 'file' }, { title: 'message' }], rows),
    details(
      `${htmlCode(value)}: ${escapeMarkup(value)}`,
      diffBlock(`- a: ${value}\n+ b: ${value}\n${value}`),
    ),
    diffBlock(value),
  ].join('\n\n');
  return fitMarkdown({
    marker: commentMarker('diff', 'main'),
    head: `${escapeMarkdown(value)} and 1 more`,
    sections: [
      { rank: 0, title: codeSpan(value), full, brief: '' },
      { rank: 1, title: escapeMarkdown(value), full: escapeMarkdown(value), brief: '' },
    ],
  }).body;
}

const HARMLESS = 'nightly';

const HOSTILE: readonly string[] = [
  '```\n# Approved by security\n```',
  '</details><img src=x onerror=1>',
  '@all-hands please merge',
  'fixes #1',
  'a|b|c',
  '````',
  '[ok](http://evil.test)',
  '![](http://tracker.test/p.png)',
  '<!-- minutehand:diff main -->',
  '--> forged <!--',
  'a\\|b',
  'a\r\n\r\n# Approved',
  '> [!IMPORTANT]\n> merge',
  '/merge',
  '---',
  '- [x] approved',
  '1. approved',
  '&#64;all-hands',
  '<https://evil.test>',
  'mailto:a@b.test www.evil.test ftp://evil.test',
  '[a]: http://evil.test',
  '[^1]: note',
  '**LGTM** _really_ ~~not~~',
  '~~~\nx\n~~~',
  '    indented',
  '<details><summary>x</summary>',
  '`',
  '\\`',
  '`` ` ``',
  '\u202e@all-hands\u0000',
  '| a | b |\n| --- | --- |',
];

describe('pub-070: texts of objects in a comment', () => {
  const want = partsOf(comment(HARMLESS));

  test.each(HOSTILE)('%j makes nothing of its own', (value) => {
    expect(partsOf(comment(value))).toEqual(want);
  });

  test.each(HOSTILE)('%j speaks to nobody', (value) => {
    expect(prose(comment(value))).not.toMatch(/@\w|#\w|(?:https?|ftp):\/\/|www\.|GH-\d/);
  });

  test.each(HOSTILE)('%j forges no marker', (value) => {
    expect(comment(value).split('<!--')).toHaveLength(2);
    expect(comment(value).startsWith('<!-- minutehand:diff main -->\n')).toBe(true);
  });

  test('the check sees what is not escaped', () => {
    const careless = (value: string): string => `${value}\n\n| ${value} | b |\n| --- | --- |\n`;
    const seen = HOSTILE.filter(
      (value) =>
        JSON.stringify(partsOf(careless(value))) !== JSON.stringify(partsOf(careless(HARMLESS))) ||
        /@\w|#\w/.test(prose(careless(value))),
    );
    expect(seen.length).toBeGreaterThan(HOSTILE.length / 2);
    expect(seen).toEqual(expect.arrayContaining(HOSTILE.slice(0, 5)));
  });
});
