import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Settings } from '#core/kind.ts';
import { typeId } from '#core/observed.ts';
import { reconcile } from '#core/reconcile.ts';
import { instant, parseInstant } from '#core/time/instant.ts';
import { cronJob } from '#kinds/cron-job/index.ts';
import { cronJobOf, jobsOf } from './case-objects.ts';
import type { CaseRow } from './case-row.ts';

const OBSERVE: Settings = { graceSeconds: 90, defaultTimeZone: 'UTC', writers: {}, retention: {} };

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

const ROWS = readJson<readonly CaseRow[]>('../../cases/cronjob-cases.json');
const DEVIATIONS =
  readJson<
    Readonly<Record<string, { readonly class: string; readonly ours: { readonly create?: unknown } }>>
  >('./deviations.json');

function notesOf(row: CaseRow): readonly string[] {
  const { changeSet } = reconcile({
    observed: new Map([
      [typeId(cronJob.resource), { state: 'read', objects: [{ object: cronJobOf(row) }] }],
      [typeId(cronJob.run), { state: 'read', objects: jobsOf(row).map((object) => ({ object })) }],
    ]),
    kinds: [cronJob],
    settings: OBSERVE,
    now: parseInstant(row.now) ?? instant(0),
  });
  return changeSet.diagnostics.filter(({ code }) => code === 'KubernetesMayDiffer').map(({ what }) => what);
}

/** Rows in which the built-in controller starts another slot than the right one. */
const OTHER_SLOT = ROWS.filter(({ id }) => {
  const deviation = DEVIATIONS[id];
  const byRule = ['estimate', 'every-drift', 'go-dst'].includes(deviation?.class ?? '');
  return byRule && deviation?.ours.create !== undefined;
});

describe('what is foretold of CronJobs that the built-in controller acts on', () => {
  test('there are such rows of every kind of error', () => {
    expect(OTHER_SLOT.length).toBe(10);
  });

  test.each(OTHER_SLOT.map((row) => [row.id, row] as const))('%s is told to differ', (_id, row) => {
    expect(notesOf(row).length).toBeGreaterThan(0);
  });

  test.each(
    OTHER_SLOT.filter(({ id }) => DEVIATIONS[id]?.class !== 'go-dst').map((row) => [row.id, row] as const),
  )('%s is told with the slot that the built-in controller finds', (_id, row) => {
    expect(notesOf(row)[0]).toContain(`expected to find ${row.expect.create ?? 'no slot'} where`);
  });

  test('UTC schedules with even gaps are told without any note', () => {
    const even = ROWS.filter(
      ({ id, timeZone, schedule }) =>
        timeZone === undefined && DEVIATIONS[id] === undefined && /^0 \* \* \* [*?]$/.test(schedule),
    );
    expect(even.length).toBeGreaterThan(40);
    for (const row of even) expect(notesOf(row), row.id).toEqual([]);
  });
});
