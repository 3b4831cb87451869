import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, TEMPLATE } from './manifests.ts';

const CRON_JOB = cronJob('dump', { metadata: { creationTimestamp: '2026-11-29T00:00:00Z' } });
const MANAGED: JsonObject = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'once', namespace: 'harbor' },
  spec: { managedBy: 'minutehand.dev/job', ...(TEMPLATE['spec'] as JsonObject) },
};

/** The statuses by which the README plays the cluster, in its order. */
async function statuses(): Promise<readonly JsonObject[]> {
  const [, section = ''] = (await readFile('README.md', 'utf8')).split('\n## The state folder\n');
  const [own = ''] = section.split('\n## ');
  const found = [...own.matchAll(/"status": \{[^`\n]*\}/g)].map(([text]) => JSON.parse(`{${text}}`).status);
  expect(found).toHaveLength(4);
  return found;
}

/** Writes the status into the only object of a folder. */
async function end(folder: string, status: JsonObject | undefined): Promise<void> {
  const [name = '', ...more] = await readdir(folder);
  expect(more).toEqual([]);
  const path = join(folder, name);
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), status }));
}

test.each([
  ['the Job of a CronJob', 0, 'batch/job', CRON_JOB, /lastSuccessfulTime: .*2026-11-29T03:04:00Z/],
  ['a pod of a managed Job', 3, 'core/pod', MANAGED, /1 order: 1 succeeded/],
])('%s ends by the status that the README shows', async (_what, at, folder, object, told) => {
  const cwd = await temporaryFolder({ 'in.json': list(object) });
  const tick = async (time: string): Promise<string> => {
    const argv = ['reconcile', '-f', 'in.json', '--state', 'state', '--now', `2026-11-29T${time}Z`];
    return (await runMinutehand(argv, { cwd })).stdout;
  };
  await tick('02:59:20');
  await tick('03:00:20');
  await end(join(cwd, 'state', folder, 'harbor'), (await statuses())[at]);
  expect(await tick('03:05:20')).toMatch(told);
});
