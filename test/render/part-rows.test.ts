import { describe, expect, test } from 'vitest';
import { JOB } from '#api/resources.ts';
import type { OrderAccount } from '#core/simulation/orders/diary.ts';
import type { PartSpan } from '#core/simulation/orders/kept-spans.ts';
import { instant } from '#core/time/instant.ts';
import { partRows } from '#render/part-rows.ts';
import { simulatedOrderLines } from '#render/simulated-orders-text.ts';
import { DEFAULT_TEXT } from '#render/text-options.ts';
import { at } from '#test/support/given-tick.ts';

const FROM = at('2026-06-10T00:00:00Z');
const OPTIONS = { ...DEFAULT_TEXT, until: instant(FROM + 3600) };

function span(name: string, from: number, until: number | undefined, more: Partial<PartSpan>): PartSpan {
  const last = until === undefined ? {} : { until: instant(FROM + until) };
  return { name, from: instant(FROM + from), ...last, end: 'succeeded', restarts: 0, ...more };
}

function order(name: string, spans: readonly PartSpan[], more: Partial<OrderAccount> = {}): OrderAccount {
  const of = (end: PartSpan['end']): number => spans.filter((one) => one.end === end).length;
  return {
    type: JOB,
    key: { group: 'batch', kind: 'Job', namespace: 'a', name },
    seen: FROM,
    parts: {
      started: spans.length,
      succeeded: of('succeeded'),
      failed: of('failed'),
      stopped: of('stopped'),
      running: of('running'),
    },
    restarts: 0,
    waits: { count: 0, seconds: 0 },
    state: 'running',
    status: undefined,
    spans,
    ...more,
  };
}

describe('pods over time', () => {
  test('a row for each index, with all that was tried there', () => {
    const spans = [
      span('b', 0, 20, { place: 1, end: 'failed', exitCode: 42 }),
      span('a', 0, 60, { place: 0 }),
      span('c', 30, 50, { place: 1, end: 'failed', exitCode: 42 }),
      span('d', 60, 64, { place: 1, end: 'stopped', restarts: 2 }),
    ];
    expect(partRows(order('shards', spans), OPTIONS)).toEqual([
      'from Wed 2026-06-10 00:00 UTC, 1 s a character',
      `0 ${'━'.repeat(60)}✓      succeeded`,
      `1 ${'━'.repeat(20)}✗${' '.repeat(9)}${'━'.repeat(20)}✗${' '.repeat(9)}━━━━■  2 × exit 42, stopped after 2 restarts`,
    ]);
  });

  test('a row for each pod where there are no indexes; one that is at work reaches the end', () => {
    const spans = [span('work-1', 0, 0, {}), span('work-2', 600, undefined, { end: 'running' })];
    expect(partRows(order('work', spans), OPTIONS)).toEqual([
      'from Wed 2026-06-10 00:00 UTC, 1 min a character',
      `work-1 ✓${' '.repeat(60)}  succeeded`,
      `work-2 ${' '.repeat(10)}${'━'.repeat(50)}▶  running`,
    ]);
  });

  test('a pod that was taken from its node is told from one that ended with the same code', () => {
    const failed = { end: 'failed', exitCode: 143 } as const;
    const spans = [span('a', 0, 60, { ...failed, disrupted: true }), span('b', 0, 60, failed)];
    const ends = partRows(order('moved', spans), OPTIONS).slice(1);
    expect(ends.map((line) => line.split('  ').at(-1))).toEqual(['disrupted', 'exit 143']);
  });

  test('what has no row is counted, in indexes where there are some', () => {
    const many = Array.from({ length: 25 }, (_, place) => span(`p-${place}`, 0, 60, { place }));
    const counts = { started: 60, succeeded: 60, failed: 0, stopped: 0, running: 0 };
    const foot = (more: Partial<OrderAccount>): string | undefined =>
      partRows(order('wide', many, { parts: counts, ...more }), OPTIONS).at(-1);
    expect(foot({ places: 40 })).toBe('20 indexes more (40 pods), counted and not drawn');
    expect(foot({ places: 21 })).toBe('1 index more (40 pods), counted and not drawn');
    // Of one index more began than is kept.
    expect(foot({ places: 20 })).toBe('40 pods more, counted and not drawn');
    expect(foot({ spans: [] })).toBe('60 pods more, counted and not drawn');
    const plain = Array.from({ length: 25 }, (_, at) => span(`p-${at}`, 0, 60, {}));
    expect(foot({ spans: plain })).toBe('40 pods more, counted and not drawn');
    expect(partRows(order('none', []), OPTIONS)).toEqual([]);
  });

  test('names are data: what would move the cursor is shown', () => {
    const [, row = ''] = partRows(order('work', [span('a\u001b[2J', 0, 1, {})]), OPTIONS);
    expect(row).not.toContain('\u001b');
  });

  test('no line is longer than it may be but for what is said behind it', () => {
    const spans = [span('x'.repeat(70), 0, 3599, {}), span('y', 7, 86_400 * 400, {})];
    for (const width of [40, 80, 200]) {
      for (const line of partRows(order('wide', spans), { ...OPTIONS, width }))
        expect(line.length).toBeLessThanOrEqual(Math.max(width, 70));
    }
  });
});

test('ten Jobs are told, those that no schedule made and those that failed before others', () => {
  const schedule = { group: 'batch', kind: 'CronJob', namespace: 'a', name: 'often' };
  const many = Array.from({ length: 30 }, (_, at) =>
    order(`often-${at}`, [span('p', 0, 1, {})], {
      schedule,
      outcome: at === 29 ? 'failed' : 'succeeded',
      state: at === 29 ? 'failed' : 'succeeded',
    }),
  );
  const lines = simulatedOrderLines([...many, order('alone', [])], OPTIONS);
  const heads = lines.filter((line) => line.startsWith('Job ')).map((line) => line.split('  ')[0]);
  expect(heads).toEqual([
    ...Array.from({ length: 8 }, (_, at) => `Job a/often-${at}`),
    'Job a/often-29',
    'Job a/alone',
  ]);
  expect(lines[0]).toMatch(/^31 managed Jobs: 29 succeeded, 1 failed, 1 not over; 30 pods started/);
  expect(lines.at(-1)).toBe(
    '21 Jobs more, which this text leaves out: name a Job or its schedule, or take -o json.',
  );
});
