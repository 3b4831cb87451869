import { BACKUP_JOB } from '#api/backups/resources.ts';
import { JOB } from '#api/resources.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { PLAN } from '#kinds/backup-plan/resources.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import type { Dice } from '#test/cluster/soak/dice.ts';
import { isEnded } from '#test/properties/support/cluster.ts';
import { activeOf, expect, member, secondsOf } from '#test/properties/support/expected.ts';
import { endOf, outlived } from '#test/properties/support/ledger.ts';
import { runNameOf } from '#test/properties/support/run-object.ts';
import { timeText } from '#test/properties/support/snapshot/objects.ts';
import { scheduleObject, specOf, type Timetable } from '#test/properties/support/timetable.ts';
import type { Book, Edit, Fate, Member } from './book.ts';

const TYPES = {
  CronJob: { schedule: CRON_JOB, run: JOB },
  EtcdDefragPolicy: { schedule: POLICY, run: DEFRAG },
  Plan: { schedule: PLAN, run: BACKUP_JOB },
} as const;

const NONE: ReadonlySet<string> = new Set();

export interface MinutelyOptions {
  /** Seconds since the epoch, as the server says it. */
  readonly created: number;
  /** False: of its expression nothing can be made. */
  readonly isValid: boolean;
  /** What an author may write instead of the expression. */
  readonly expressions: readonly string[];
}

function newRun(timetable: Timetable, slot: number): KubeObject {
  const type = TYPES[timetable.kind].run;
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: {
      name: runNameOf(timetable, slot),
      namespace: timetable.namespace,
      annotations: { 'minutehand.dev/slot': timeText(slot) },
    },
    spec: timetable.ttl === undefined ? {} : { ttlSecondsAfterFinished: timetable.ttl },
  };
}

function isFailed(run: KubeObject): boolean {
  return JSON.stringify(run.status).includes('"Failed"');
}

/** The oldest of those beyond a limit; nobody's limit is undefined. */
function beyond(runs: readonly KubeObject[], limit: number | undefined, age: (run: KubeObject) => number) {
  if (limit === undefined) return [];
  return runs.toSorted((a, b) => age(a) - age(b)).slice(0, Math.max(0, runs.length - limit));
}

function surplus(timetable: Timetable, runs: readonly KubeObject[]): readonly KubeObject[] {
  const ended = runs.filter(isEnded);
  if (timetable.kind === 'EtcdDefragPolicy')
    return beyond(ended, timetable.limit, (run) => endOf(run) ?? Number.NaN);
  const age = (run: KubeObject): number => secondsOf(member(run.status, 'startTime')) ?? Number.NaN;
  const succeeded = ended.filter((run) => !isFailed(run));
  return [
    ...beyond(succeeded, timetable.limit ?? 3, age),
    ...beyond(ended.filter(isFailed), timetable.failedLimit ?? 1, age),
  ];
}

/** As the Job controller leaves it; a Job begins with its slot here, so that each has its own age. */
function endedJob(run: KubeObject, at: number, succeeded: boolean): Json {
  const lastTransitionTime = timeText(at);
  const condition = (type: string): Json => ({
    type,
    status: 'True',
    lastTransitionTime,
    lastProbeTime: lastTransitionTime,
  });
  const startTime = run.metadata.annotations?.['minutehand.dev/slot'] ?? lastTransitionTime;
  return succeeded
    ? {
        startTime,
        completionTime: lastTransitionTime,
        succeeded: 1,
        conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
      }
    : { startTime, failed: 1, conditions: [condition('FailureTarget'), condition('Failed')] };
}

function endedDefrag(_run: KubeObject, at: number, succeeded: boolean): Json {
  return { phase: succeeded ? 'Complete' : 'Failed', completedAt: timeText(at) };
}

function edited(timetable: Timetable, dice: Dice, expressions: readonly string[]): Timetable {
  switch (dice.weighed({ suspend: 4, expression: 3, deadline: 2, concurrency: 2 })) {
    case 'suspend':
      return { ...timetable, suspend: !timetable.suspend };
    case 'expression':
      return { ...timetable, expression: dice.pick(expressions) };
    case 'deadline':
      return { ...timetable, deadline: dice.pick([undefined, 0, 120, 600, 3600]) };
    case 'concurrency':
      return { ...timetable, concurrency: dice.pick(['Allow', 'Forbid']) };
  }
}

function editOf(who: Member, timetable: Timetable): Edit {
  const { schedule = null } = specOf(timetable) as Readonly<Record<string, Json>>;
  const { suspend, deadline, concurrency } = timetable;
  return {
    member: who,
    spec: {
      schedule,
      suspend,
      concurrencyPolicy: concurrency,
      startingDeadlineSeconds: deadline ?? null,
    },
  };
}

/** A CronJob or an EtcdDefragPolicy, by the model of the random histories. */
export function minutelyBook(first: Timetable, { created, isValid, expressions }: MinutelyOptions): Book {
  let timetable = first;
  let anchor: number | undefined;
  let pauseIsRecorded = false;
  const types = TYPES[first.kind];
  const runs = new Map<string, KubeObject>();
  const who: Member = {
    type: types.schedule,
    namespace: first.namespace,
    name: first.name,
    anchors: () => ({ lastScheduleTime: anchor === undefined ? undefined : timeText(anchor) }),
  };
  const schedule = (): KubeObject =>
    scheduleObject(timetable, created, {
      ...(anchor === undefined ? {} : { lastScheduleTime: timeText(anchor) }),
      ...(pauseIsRecorded ? { conditions: [{ type: 'Active', reason: 'Suspended' }] } : {}),
    });
  const settle = (now: number): Fate => {
    if (!isValid) return { creates: [], victims: [] };
    const known = [...runs.values()];
    const wanted = expect({ timetable, schedule: schedule(), runs: known, strangers: NONE, now });
    anchor = wanted.anchor ?? anchor;
    pauseIsRecorded = timetable.kind === 'EtcdDefragPolicy' && timetable.suspend;
    if (!wanted.creates || wanted.slot === undefined) return { creates: [], victims: [] };
    const victims = timetable.concurrency === 'Replace' ? activeOf(known) : [];
    for (const { metadata } of victims) runs.delete(metadata.name);
    const run = newRun(timetable, wanted.slot);
    runs.set(run.metadata.name, run);
    return { creates: [run], victims: victims.map(({ metadata }) => metadata.name) };
  };
  return {
    members: [who],
    runType: types.run,
    runs,
    settle,
    outdated: (now) => {
      const known = [...runs.values()];
      const gone = [...known.filter((run) => outlived(run, now)), ...surplus(timetable, known)];
      return [...new Set(gone.map(({ metadata }) => metadata.name))];
    },
    begun: undefined,
    ended: first.kind === 'CronJob' ? endedJob : endedDefrag,
    isEnded,
    edit: isValid
      ? (dice) => {
          timetable = edited(timetable, dice, expressions);
          return editOf(who, timetable);
        }
      : undefined,
  };
}
