import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeSpan, diffBlock, htmlCode } from '#render/markdown/code.ts';
import { commentMarker } from '#render/markdown/comment-marker.ts';
import { details } from '#render/markdown/details.ts';
import { escapeMarkdown } from '#render/markdown/escape-markdown.ts';
import { fitMarkdown, type MarkdownSection } from '#render/markdown/fit-markdown.ts';
import { tokensOf } from './parsed.ts';

const MARKER = commentMarker('diff', 'main');
const HEAD = '**3 deleted**, 797 changed';
const LIMIT = 65_536;

/** A changed schedule, as a report of differences would show it. */
function section(
  name: string,
  rank: number,
  text = `- schedule: "0 3 * * *"\n+ schedule: "0 4 * * *"`,
): MarkdownSection {
  const kind = escapeMarkdown(rank === 0 ? 'is deleted' : 'is changed');
  return {
    rank,
    title: codeSpan(`CronJob harbor/${name}`),
    full: `${kind}\n\n${details(htmlCode(name), diffBlock(text))}`,
    brief: kind,
  };
}

/** Every fence and every part that opens on a click is closed: nothing after it is swallowed. */
function expectClosed(body: string): void {
  const tokens = tokensOf(`${body}\n\nthe end\n`);
  expect(tokens.at(-1)?.raw).toBe('the end');
  const html = tokens.flatMap((token) => (token.type === 'html' ? [token.raw] : [])).join('');
  expect(html.split('<details>').length).toBe(html.split('</details>').length);
  expect(body.isWellFormed()).toBe(true);
}

describe('pub-088: a change that is larger than a comment', () => {
  const PIECES = '日本語の注釈 😀🎉 ';
  const sections = [
    ...Array.from({ length: 796 }, (_, index) =>
      section(
        `job-${index}`,
        index === 5 ? 1 : 2,
        index === 5 ? PIECES.repeat(5_000) : `+ ${PIECES.repeat(4)}`,
      ),
    ),
    section('gone-a', 0),
    section('gone-b', 0),
    section('gone-c', 0),
  ];
  const { body, shown } = fitMarkdown(
    { marker: MARKER, head: HEAD, sections },
    { fullReport: codeSpan('report.html') },
  );

  test('fits, and uses the room that there is', () => {
    expect(body.length).toBeLessThanOrEqual(LIMIT);
    expect(body.length).toBeGreaterThan(LIMIT * 0.9);
    expectClosed(body);
  });

  test('begins with the marker, the totals, and where the rest is', () => {
    expect(body.startsWith(`${MARKER}\n${HEAD}\n\n> Too long for one comment: of 799 objects `)).toBe(true);
    expect(body).toContain('The full report: `report.html`\n');
  });

  test('has all that is dangerous, before anything else', () => {
    const titles = tokensOf(body).flatMap((token) => (token.type === 'heading' ? [token.text] : []));
    expect(titles.slice(0, 3)).toEqual(['a', 'b', 'c'].map((name) => `\`CronJob harbor/gone-${name}\``));
    expect(body.match(/is deleted/g)).toHaveLength(3);
  });

  test('names what is too large, and counts what it shows', () => {
    const tokens = tokensOf(body);
    const headings = tokens.filter(({ type, raw }) => type === 'heading' && !raw.includes('By name only'));
    const items = tokens.filter(({ type }) => type === 'list_item');
    expect({
      full: headings.length,
      brief: items.length,
      leftOut: 799 - headings.length - items.length,
    }).toEqual(shown);
    expect(items[0]?.raw).toContain('harbor/job-5');
    expect(shown.full).toBeGreaterThan(100);
    expect(shown.full + shown.brief).toBeGreaterThan(600);
  });

  test('is the same for the same input', () => {
    const again = fitMarkdown(
      { marker: MARKER, head: HEAD, sections: [...sections] },
      { fullReport: codeSpan('report.html') },
    );
    expect(again.body).toBe(body);
  });
});

test('what fits is shown in full, without a note', () => {
  const { body, shown } = fitMarkdown({
    marker: MARKER,
    head: HEAD,
    sections: [section('b', 1), section('a', 0)],
  });
  expect(shown).toEqual({ full: 2, brief: 0, leftOut: 0 });
  expect(body).toBe(`<!-- minutehand:diff main -->
**3 deleted**, 797 changed

### \`CronJob harbor/a\`

is deleted

<details>
<summary><code>a</code></summary>

\`\`\`diff
- schedule: "0 3 * * *"
+ schedule: "0 4 * * *"
\`\`\`

</details>

### \`CronJob harbor/b\`

is changed

<details>
<summary><code>b</code></summary>

\`\`\`diff
- schedule: "0 3 * * *"
+ schedule: "0 4 * * *"
\`\`\`

</details>
`);
});

test('what has nothing under its title is a name, behind what has', () => {
  const bare: MarkdownSection = { rank: 0, title: 'removed `a`', full: '\n', brief: '' };
  const { body, shown } = fitMarkdown({ marker: MARKER, head: HEAD, sections: [bare, section('b', 1)] });
  expect(shown).toEqual({ full: 1, brief: 1, leftOut: 0 });
  expect(body).toMatch(/<\/details>\n\n### By name only\n\n- removed `a`\n$/);
  expect(body).not.toMatch(/^### removed/m);
});

test('no sections are the totals alone', () => {
  expect(fitMarkdown({ marker: MARKER, head: 'No change.', sections: [] }).body).toBe(
    `${MARKER}\nNo change.\n`,
  );
});

test('2,000 schedules leave the dangerous ones in full and as many names as there is room for', () => {
  const sections = Array.from({ length: 2_000 }, (_, index) =>
    section(`job-${index}`, index % 500 === 0 ? 0 : 3),
  );
  const { body, shown } = fitMarkdown({ marker: MARKER, head: HEAD, sections });
  expect(body.length).toBeLessThanOrEqual(LIMIT);
  for (const name of ['job-0', 'job-500', 'job-1000', 'job-1500'])
    expect(body).toContain(`### \`CronJob harbor/${name}\``);
  expect(shown.brief).toBeGreaterThan(500);
  expect(shown.full + shown.brief + shown.leftOut).toBe(2_000);
  expectClosed(body);
});

describe('whatever the sections', () => {
  const any = fc.record({
    rank: fc.integer({ min: 0, max: 4 }),
    text: fc.string({ unit: 'binary', maxLength: 3_000 }),
  });
  const given = fc.array(any, { maxLength: 40 });
  const limits = fc.integer({ min: 1_000, max: 20_000 });
  const sectionsOf = (list: readonly { readonly rank: number; readonly text: string }[]): MarkdownSection[] =>
    list.map(({ rank, text }, index) => section(`job-${rank}-${index}`, rank, text));

  test('the body fits, is closed, and tells how much it shows', () => {
    fc.assert(
      fc.property(given, limits, (list, limit) => {
        const sections = sectionsOf(list);
        const { body, shown } = fitMarkdown({ marker: MARKER, head: HEAD, sections }, { limit });
        expect(body.length).toBeLessThanOrEqual(limit);
        expect(shown.full + shown.brief + shown.leftOut).toBe(list.length);
        expect(body.match(/^### `/gm)?.length ?? 0).toBe(shown.full);
        expect(body.match(/^- `CronJob/gm)?.length ?? 0).toBe(shown.brief);
        expectClosed(body);
      }),
      { numRuns: 300 },
    );
  });

  test('what is dangerous goes first, and nothing that fits waits for something harmless', () => {
    fc.assert(
      fc.property(given, limits, (list, limit) => {
        const sections = sectionsOf(list);
        const { body } = fitMarkdown({ marker: MARKER, head: HEAD, sections }, { limit });
        const ranks = (pattern: RegExp): readonly number[] =>
          [...body.matchAll(pattern)].map(([, rank]) => Number(rank));
        const full = ranks(/^### `CronJob harbor\/job-(\d)-/gm);
        const brief = ranks(/^- `CronJob harbor\/job-(\d)-/gm);
        expect(full).toEqual([...full].sort());
        expect(brief).toEqual([...brief].sort());
        const [first] = [...sections].sort((a, b) => a.rank - b.rank);
        // The half that is kept for names is the only thing that the first may not take.
        if (first !== undefined && first.full.length < limit / 2 - 500)
          expect(body).toContain(`### ${first.title}\n`);
      }),
      { numRuns: 300 },
    );
  });
});

describe('first lines that are too long themselves', () => {
  const head = [
    '**3 deleted**',
    `- ${'x'.repeat(3_000)}`,
    '- **Removed**: `a`',
    ...Array(100).fill('- line'),
  ].join('\n');
  const sections = Array.from({ length: 20 }, (_, index) => section(`job-${index}`, index));

  test.each([1_200, 2_000, 4_000])('are cut at lines, in %i characters', (limit) => {
    const { body, shown } = fitMarkdown({ marker: MARKER, head, sections }, { limit });
    expect(body.length).toBeLessThanOrEqual(limit);
    expect(body.startsWith(`${MARKER}\n**3 deleted**\n`)).toBe(true);
    expect(body).toContain('- **Removed**: `a`\n');
    expect(shown.full + shown.brief + shown.leftOut).toBe(20);
    expectClosed(body);
  });

  test('say that some are left out', () => {
    const { body } = fitMarkdown({ marker: MARKER, head, sections }, { limit: 1_200 });
    expect(body).toContain('\n\nSome of these lines are left out, too.\n\n> Too long');
    expect(body).not.toContain('xxx');
  });
});

test('a limit below what frames the sections is a fault of the caller', () => {
  const sections = [section('a', 0), section('b', 0)];
  expect(() => fitMarkdown({ marker: MARKER, head: HEAD, sections }, { limit: 100 })).toThrow(RangeError);
});
