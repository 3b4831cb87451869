import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { formatInstant, instant, parseInstant } from '#core/time/instant.ts';
import type { DirectoryOptions } from '#store/directory/open-directory-store.ts';
import { openDirectoryStore } from '#store/directory/open-directory-store.ts';
import type { WriteResult } from '#store/port.ts';
import { CRON_JOB, cronJob, JOB, job, listed, preconditionOf } from '#test/store/fixtures.ts';

const START = instant(1_780_000_000);

function must(result: WriteResult): KubeObject {
  if (!result.ok && result.failure.kind !== 'exists') throw new Error(result.failure.message);
  return result.ok ? result.object : cronJob('harbor', 'nightly');
}

/** The minute that a schedule was last run for, counted from the first; 0 before it. */
function minuteOf(schedule: KubeObject): number {
  const { status } = schedule;
  const text =
    typeof status === 'object' && status !== null && 'lastScheduleTime' in status
      ? status.lastScheduleTime
      : undefined;
  const at = typeof text === 'string' ? parseInstant(text) : undefined;
  return at === undefined ? 0 : (at - START) / 60;
}

/** One tick that runs the minute after the last: create, status, deletion of the run before, event. Returns the minute. */
export async function runTick(
  options: Pick<DirectoryOptions, 'state' | 'holder'> & Partial<DirectoryOptions>,
): Promise<number> {
  const manifests = [{ object: cronJob('harbor', 'nightly') }];
  const store = await openDirectoryStore({
    manifests,
    complete: true,
    now: START,
    clock: Date.now,
    ...options,
  });
  const prepared = await store.prepare();
  if (!prepared.ok) throw new Error(prepared.diagnostic.what);
  const [schedule] = await listed(store, CRON_JOB);
  const runs = await listed(store, JOB);
  if (schedule === undefined || store.diagnostics().length > 0)
    throw new Error(JSON.stringify(store.diagnostics()));
  const minute = minuteOf(schedule) + 1;
  must(await store.create(JOB, job('harbor', `nightly-${minute}`, schedule)));
  const lastScheduleTime = formatInstant(instant(START + minute * 60));
  must(await store.applyStatus(CRON_JOB, keyOf(schedule), preconditionOf(schedule), { lastScheduleTime }));
  for (const run of runs.filter((old) => old.metadata.name !== `nightly-${minute}`)) {
    must(await store.delete(JOB, keyOf(run), preconditionOf(run)));
  }
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: `fired-${minute % 5}`, namespace: 'harbor' },
  };
  must(await store.create(EVENT, event));
  await store.close();
  return minute;
}
