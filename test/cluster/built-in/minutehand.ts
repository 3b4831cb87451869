import type { AppliedDocument } from '#core/change/applied-document.ts';
import type { ChangeSetDocument, ScheduleDocument } from '#core/change/document.ts';
import { runProcess } from '#test/cluster/world/command-line.ts';
import type { Start } from './jobs.ts';

export interface Tick {
  readonly code: number;
  readonly changeSet: ChangeSetDocument;
  readonly applied: AppliedDocument;
}

async function run(argv: readonly string[]): Promise<{ readonly code: number; readonly document: unknown }> {
  const { code, stdout, stderr } = await runProcess(argv);
  try {
    return { code, document: JSON.parse(stdout) };
  } catch {
    throw new Error(`minutehand ${argv.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  }
}

/** `minutehand plan` as a process, on a cluster. */
export async function plan(kubeconfig: string, ...flags: readonly string[]): Promise<ChangeSetDocument> {
  const argv = ['plan', '--kubeconfig', kubeconfig, '-o', 'json', ...flags];
  const { code, document } = await run(argv);
  if (code !== 0) throw new Error(`minutehand ${argv.join(' ')} ended with ${code}`);
  return document as ChangeSetDocument;
}

/** `minutehand reconcile` as a process, on a cluster. */
export async function reconcile(kubeconfig: string, ...flags: readonly string[]): Promise<Tick> {
  const { code, document } = await run(['reconcile', '--kubeconfig', kubeconfig, '-o', 'json', ...flags]);
  return { code, ...(document as Omit<Tick, 'code'>) };
}

export function schedulesIn(changeSet: ChangeSetDocument, namespace: string): readonly ScheduleDocument[] {
  return changeSet.schedules.filter((schedule) => schedule.namespace === namespace);
}

/** The Jobs that the actor of observed CronJobs is expected to start. */
export function foretoldStarts(changeSet: ChangeSetDocument, namespace: string): readonly Start[] {
  return schedulesIn(changeSet, namespace).flatMap(({ name, verdict: { foreseen } }) => {
    if (foreseen?.code !== 'fired' || foreseen.slot === undefined) return [];
    const { slot, runs = [] } = foreseen;
    return runs.map((job) => ({ cronJob: name, slot, job }));
  });
}

/** The Jobs that a tick started. */
export function startsOf({ changeSet, applied }: Tick, namespace: string): readonly Start[] {
  const done = new Set(
    applied.schedules.flatMap((schedule) =>
      schedule.applied.flatMap(({ verb, state, object }) =>
        verb === 'create' && state === 'done' ? [`${object.namespace}/${object.name}`] : [],
      ),
    ),
  );
  return schedulesIn(changeSet, namespace).flatMap(({ name, changes }) =>
    changes.flatMap(({ verb, object, slot = '' }) =>
      verb === 'create' && done.has(`${object.namespace}/${object.name}`)
        ? [{ cronJob: name, slot, job: object.name }]
        : [],
    ),
  );
}

/** What is foretold of one CronJob. */
export function foreseenOf(changeSet: ChangeSetDocument, cronJob: string): string | undefined {
  return changeSet.schedules.find(({ name }) => name === cronJob)?.verdict.foreseen?.code;
}
