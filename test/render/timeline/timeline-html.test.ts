import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { inertJson, type PageData } from '#render/timeline/page-data.ts';
import { PAGE_SCRIPT, PAGE_SCRIPT_HASH } from '#render/timeline/page-script.ts';
import { PAGE_STYLE, PAGE_STYLE_HASH } from '#render/timeline/page-style.ts';
import { timelineHtml } from '#render/timeline/timeline-html.ts';
import { HOSTILE, hostileObjects, ordinaryObjects, timelineOfObjects } from '#test/support/given-timeline.ts';

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Text of the only element with this beginning. */
function inside(html: string, begin: string, end: string): string {
  const parts = html.split(begin);
  expect(parts).toHaveLength(2);
  return (parts[1] ?? '').split(end)[0] ?? '';
}

function dataOf(html: string): PageData {
  return JSON.parse(inside(html, '<script type="application/json" id="data">', '</script>'));
}

describe('the content security policy', () => {
  const html = timelineHtml(timelineOfObjects(ordinaryObjects()));

  test('lets in the one script and the one style sheet by their hashes, and nothing else', () => {
    expect(PAGE_SCRIPT_HASH).toBe(hashOf(PAGE_SCRIPT));
    expect(PAGE_STYLE_HASH).toBe(hashOf(PAGE_STYLE));
    expect(inside(html, '<meta http-equiv="Content-Security-Policy" content="', '">')).toBe(
      `default-src 'none'; script-src '${PAGE_SCRIPT_HASH}'; style-src '${PAGE_STYLE_HASH}'; base-uri 'none'; form-action 'none'`,
    );
    expect(hashOf(inside(html, '<style>', '</style>'))).toBe(PAGE_STYLE_HASH);
    expect(hashOf(inside(html, '<script>', '</script>'))).toBe(PAGE_SCRIPT_HASH);
  });

  test('comes before everything that it is about', () => {
    expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<style>'));
  });

  test('is not needed to keep the page from loading something', () => {
    expect(html).not.toMatch(/https?:|\/\/[a-z]|@import|url\(|\bsrc=|<link|<iframe|<object/i);
    expect(html).not.toMatch(/<[^>]*\s(?:on\w+|style)\s*=/i);
  });
});

test('without its script the page is a table with the number of slots of each day', () => {
  const html = timelineHtml(timelineOfObjects(ordinaryObjects()));
  const body = inside(html, '<table id="calendar">', '</table>');
  const rows = body
    .split('<tr>')
    .slice(2)
    .map((row) =>
      row
        .replaceAll(/<t[dh][^>]*>/g, ' | ')
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    );
  expect(rows).toEqual([
    '| EtcdDefragPolicy harbor/ bad invalid 61 * * * * | invalid: minute `61` cannot be read',
    '| CronJob harbor/ dump 0 */4 * * * UTC | 6 | 6 | 6',
    '| EtcdDefragPolicy harbor/ minutely * * * * * UTC | 1440 | 1440 | 1440',
    '| EtcdDefragPolicy harbor/ nightly 0 4 * * * UTC | 1 | 1 | 1',
    '| EtcdDefragPolicy harbor/ paused suspended 30 4 * * * UTC | 1 | 1 | 1',
  ]);
});

test('the data have every piece with its look and what is said of it', () => {
  const data = dataOf(timelineHtml(timelineOfObjects(ordinaryObjects(), { days: 1 })));
  const said = data.rows.map(({ days }) =>
    days.flat().map(([time, look, text, last, count]) => {
      const parts = [(time ?? 0) / 3600, data.looks[look ?? -1]?.[1], data.texts[text ?? -1], last, count];
      return parts.filter((part) => part !== undefined).join(' ');
    }),
  );
  const run = (hour: number): number => Date.UTC(2026, 10, 30, hour) / 60_000;
  expect(said.slice(0, 2)).toEqual([
    [],
    ['0 -', `4 X run dump-${run(4)} (failed)`, `8 R run dump-${run(8)} (succeeded)`, '12 o', '16 o', '20 o'],
  ]);
  expect(said[4]).toEqual(['4.5 P slots that pass in the pause are not made up for']);
});

describe('what objects say', () => {
  const html = timelineHtml(timelineOfObjects(hostileObjects()));

  test('makes no element and no attribute', () => {
    const harmless = hostileObjects().map((object, index) => ({
      ...object,
      metadata: { ...object.metadata, name: `harmless-${index}`, namespace: 'harbor' },
    }));
    const tags = (text: string): ReadonlySet<string> =>
      new Set(
        [...(text.split('<script type="application/json"')[0]?.matchAll(/<(\/?[a-z0-9]+)/gi) ?? [])].map(
          ([, tag]) => tag ?? '',
        ),
      );
    expect(tags(html)).toEqual(tags(timelineHtml(timelineOfObjects(harmless))));
    expect(html.match(/<script/gi)).toHaveLength(2);
    expect(html.match(/<\/script/gi)).toHaveLength(2);
    expect(html).not.toMatch(/<[^>]*\son\w+=/i);
    expect(html).not.toContain('<!--');
  });

  test('has no character that cannot be seen', () => {
    expect(html).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]|(?!\n)\p{Cc}/u);
  });

  test('is shown in full', () => {
    expect(html).toContain('&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain('\\x1b[2J\\x1b[1;1HAll good\\rOK');
    expect(html).toContain('a\\u2028b\\u2029c');
  });

  test('is inert in the data, and the same behind them', () => {
    const json = inertJson(HOSTILE);
    expect(json).not.toMatch(/[<>&\u2028\u2029]/);
    expect(JSON.parse(json)).toEqual(HOSTILE);
  });
});

test('the same timeline gives the same bytes', () => {
  const html = timelineHtml(timelineOfObjects(ordinaryObjects()));
  expect(timelineHtml(timelineOfObjects([...ordinaryObjects()].reverse()))).toBe(html);
});

/** Relative luminance and contrast as WCAG 2 has them. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((index) => Number.parseInt(hex.slice(index, index + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

describe('texts keep a contrast of 4.5', () => {
  const colours = new Map(
    [...PAGE_STYLE.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
      ([, name = '', light = '', dark = '']) => [name, [light, dark]] as const,
    ),
  );
  const onFill = ['blue', 'green', 'amber', 'red', 'gray'].map((fill) => ['on', fill] as const);
  const onPanel = ['ink', 'muted', 'blue', 'amber', 'gray'].flatMap((text) =>
    ['panel', 'page', 'today'].map((back) => [text, back] as const),
  );
  const heat = [1, 2, 3, 4, 5, 6].map((level) => [level < 4 ? 'low' : 'high', `h${level}`] as const);
  test.each([...onFill, ...onPanel, ...heat, ['page', 'ink'] as const])('%s on %s', (text, back) => {
    for (const theme of [0, 1]) {
      const [front, behind] = [colours.get(text)?.[theme], colours.get(back)?.[theme]];
      if (front === undefined || behind === undefined) throw new Error(`no colour ${text} or ${back}`);
      expect(contrast(front, behind)).toBeGreaterThanOrEqual(4.5);
    }
  });
});
