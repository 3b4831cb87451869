import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { fromJSONSchema, type ZodType } from 'zod';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, job, list, policy } from './manifests.ts';

/** Read back from the published file, so that it is the file which is tested and not what made it. */
let published: ZodType;

beforeAll(async () => {
  published = fromJSONSchema(JSON.parse(await readFile('examples/change-set.schema.json', 'utf8')));
});

function faults(document: unknown): readonly string[] {
  const read = published.safeParse(document);
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const NOW = ['--now', '2026-06-10T03:00:10Z'];
const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
const RUNNING = { active: 1 };

describe('the published schema of the change set', () => {
  test.each([
    ['examples/etcd-defrag', []],
    ['examples/cron-job-dump', []],
    ['examples/cron-job-dump', ['--config', 'examples/cron-job-dump/config/managed.yaml']],
    ['examples/demo/manifests', []],
  ])('takes the plan of %s %j', async (folder, more) => {
    const { stdout } = await runMinutehand(['plan', '-f', folder, '-o', 'json', ...NOW, ...more]);
    expect(faults(JSON.parse(stdout))).toEqual([]);
  });

  test('takes every verb, and verdicts of every sort', async () => {
    const hourly = { schedule: '0 * * * *' };
    const cwd = await temporaryFolder({
      'config/c.yaml': 'cronJob: manage\n',
      'broken.yaml': 'kind: [',
      'a.json': list(
        policy('fires', DUE),
        policy('deferred', DUE),
        policy('expired', {
          status: { lastScheduleTime: '2026-06-08T03:00:00Z' },
          spec: { schedule: '0 2 * * *', startingDeadlineSeconds: 60 },
        }),
        policy('suspended', { ...DUE, spec: { suspend: true } }),
        cronJob('replaces', { ...DUE, spec: { concurrencyPolicy: 'Replace' } }),
        job('replaces-29682900', 'replaces', RUNNING),
        cronJob('held', { ...DUE, spec: { ...hourly, concurrencyPolicy: 'Forbid' } }),
        job('held-29684280', 'held', RUNNING),
        cronJob('conflict', DUE),
        job('conflict-29684340', undefined, RUNNING),
        cronJob('invalid', { spec: { schedule: 5 } }),
        cronJob('gone', { metadata: { deletionTimestamp: '2026-06-10T02:00:00Z' } }),
      ),
    });
    const argv = ['plan', '-f', '.', '-o', 'json', ...NOW, '--config', 'config/c.yaml', '--max-creates', '2'];
    const document = JSON.parse((await runMinutehand(argv, { cwd })).stdout);
    expect(Object.keys(document.counts.verdicts).sort()).toEqual(
      expect.arrayContaining([
        'conflict',
        'deferred',
        'deleting',
        'expired',
        'fired',
        'held',
        'invalid',
        'suspended',
      ]),
    );
    expect(faults(document)).toEqual([]);
  });

  test('refuses what it does not know', async () => {
    const document = JSON.parse(
      (await runMinutehand(['plan', '-f', 'examples/etcd-defrag', '-o', 'json', ...NOW])).stdout,
    );
    expect(faults({ ...document, formatVersion: 2 })).not.toEqual([]);
    expect(faults({ ...document, extra: true })).not.toEqual([]);
    const [first, ...others] = document.schedules;
    const verdict = { ...first.verdict, next: '1970-01-01' };
    expect(faults({ ...document, schedules: [{ ...first, verdict }, ...others] })).not.toEqual([]);
  });
});
