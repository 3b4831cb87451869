import { describe, expect, test } from 'vitest';
import { timelineHtml } from '#render/timeline/timeline-html.ts';
import { timelineSvg } from '#render/timeline/timeline-svg.ts';
import { policy } from '#test/support/given-tick.ts';
import { hostileObjects, ordinaryObjects, timelineOfObjects } from '#test/support/given-timeline.ts';

/** Names of elements that are open at the end, or closed without having been opened. */
function unbalanced(svg: string): readonly string[] {
  const open: string[] = [];
  const odd: string[] = [];
  for (const [, slash, name = '', alone] of svg.matchAll(
    /<(\/?)([a-z]+)(?:\s[\w-]+(?::\w+)?="[^"<]*")*\s*(\/?)>/gi,
  )) {
    if (alone === '/') continue;
    if (slash === '') open.push(name);
    else if (open.pop() !== name) odd.push(name);
  }
  return [...odd, ...open];
}

const SVG = timelineSvg(timelineOfObjects(ordinaryObjects()));

test('the picture has a title, a description and all texts as texts', () => {
  expect(SVG).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]* role="img" aria-labelledby="title description">\n/,
  );
  expect(SVG).toContain('<title id="title">Timeline: Mon 30 Nov 2026 to Wed 2 Dec 2026, UTC</title>');
  expect(SVG).toMatch(
    /<desc id="description">5 schedules, [\d,]+ slots\. [\d,]+ starts in all, at most 3 in the same minute, /,
  );
  expect(SVG).toContain('>EtcdDefragPolicy harbor/nightly</text>');
  expect(SVG).toContain('>invalid: minute `61` cannot be read</text>');
  expect(unbalanced(SVG)).toEqual([]);
});

test('a zone that stands in front of the fields is said once', () => {
  const objects = [
    policy('prefixed', { schedule: 'CRON_TZ=Europe/Berlin 0 3 * * *' }),
    policy('plain', { schedule: '0 4 * * *' }),
  ];
  const timeline = timelineOfObjects(objects);
  for (const picture of [timelineSvg(timeline), timelineHtml(timeline)]) {
    expect(picture).toMatch(/CRON_TZ=Europe\/Berlin 0 3 \* \* \*</);
    expect(picture).toMatch(/[^=]0 4 \* \* \* UTC</);
  }
});

test('bars and colours are told what they mean', () => {
  expect(SVG).toContain('>a bar with a number: that many slots</text>');
  expect(SVG).toContain('minutes across; the stronger the colour the more, 3 at most</text>');
});

test('a slot says its time and its fate', () => {
  expect(SVG).toContain('<title>Mon 2026-11-30 04:00 UTC: its run failed; run dump-');
  expect(SVG).toContain('<title>Mon 2026-11-30 12:00 UTC: to come</title>');
  expect(SVG).toContain(
    '<title>Tue 2026-12-01 00:00 UTC to Tue 2026-12-01 23:59 UTC: to come; 1,440 slots, every 1 min</title>',
  );
});

test('the picture loads nothing and runs nothing', () => {
  expect(SVG.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
    /https?:|<script|href|url\(|@import|<image|<use/i,
  );
  expect(SVG).not.toMatch(/<[^>]*\s(?:on\w+|style)\s*=/i);
});

describe('what objects say', () => {
  const svg = timelineSvg(timelineOfObjects(hostileObjects()));

  test('makes no element and no attribute', () => {
    const tags = new Set([...svg.matchAll(/<\/?([a-z]+)/gi)].map(([, tag]) => tag));
    const allowed = new Set(['svg', 'title', 'desc', 'style', 'rect', 'text', 'line', 'g', 'circle', 'path']);
    expect([...tags].filter((tag) => !allowed.has(tag ?? ''))).toEqual([]);
    expect(unbalanced(svg)).toEqual([]);
    expect(svg).not.toMatch(/<[^>]*\son\w+=/i);
  });

  test('has no character that XML or a reader cannot take', () => {
    expect(svg).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]|(?!\n)\p{Cc}/u);
    expect(svg.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
  });
});

test('no schedule is said', () => {
  const svg = timelineSvg(timelineOfObjects([]), { failedReads: true });
  expect(svg).toContain('No schedule could be read, so nothing was decided.</desc>');
  expect(unbalanced(svg)).toEqual([]);
});
