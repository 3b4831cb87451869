import { cronJob, list, policy } from '#test/cli/manifests.ts';
import { type CliResult, type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
export const NOW = '2026-06-10T03:00:10Z';
export const WHEN = ['--now', NOW];

/** One schedule that fires, one that waits, one that has expired, one that nobody can read. */
const MANIFESTS = list(
  policy('fires', DUE),
  cronJob('waits', { status: { lastScheduleTime: '2026-06-10T03:00:00Z' } }),
  policy('too-late', {
    status: { lastScheduleTime: '2026-06-09T02:00:00Z' },
    spec: { schedule: '0 2 * * *', startingDeadlineSeconds: 60 },
  }),
  cronJob('broken', { spec: { schedule: 'every day' } }),
);

/** A folder with manifests in `in`, and a state folder to come. */
export function world(files: Readonly<Record<string, string>> = {}): Promise<string> {
  return temporaryFolder({ 'in/a.json': MANIFESTS, ...files });
}

export function tick(cwd: string, more: readonly string[] = [], io: CliWorld = {}): Promise<CliResult> {
  return runMinutehand(['reconcile', '-f', 'in', '--state', 'state', ...WHEN, ...more], { cwd, ...io });
}

/** The same in a folder of its own. */
export async function freshTick(more: readonly string[] = [], io: CliWorld = {}): Promise<CliResult> {
  return tick(await world(), more, io);
}
