import { isObject } from '#core/object/canonical.ts';
import { keyOf } from '#core/object/key.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import type { GivenEnd } from '#core/simulation/orders/part-ends.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { tickJobs } from '#test/drivers/managed-job/support/on-store.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';

/* The oracle: a real tick over a store in every minute, and nodes that end pods by what is given for them. */

export interface JobHistory {
  readonly jobs: readonly KubeObject[];
  readonly from: Instant;
  readonly until: Instant;
  /** How the nth pod of an index ends, from 0; where there are no indexes, of the Job. */
  /** A tick of Jobs alone unless it is said otherwise. */
  readonly tick?: (store: MemoryStore, now: Instant) => Promise<unknown>;
  readonly endOf: (job: string, index: number | undefined, nth: number) => GivenEnd;
}

/** What is left of a Job. */
export interface JobLeft {
  readonly status: Json | undefined;
  readonly backoff: string | undefined;
  readonly succeeded: number;
  readonly failed: number;
  readonly started: number;
}

const INDEX = 'batch.kubernetes.io/job-completion-index';

function podsOf(store: MemoryStore): readonly KubeObject[] {
  return store.objects().filter(({ kind }) => kind === 'Pod');
}

function over(pod: KubeObject, { end: { exitCode, disrupted } }: GivenEnd, at: number): KubeObject {
  const phase = exitCode === 0 && disrupted !== true ? 'Succeeded' : 'Failed';
  const finishedAt = formatInstant(instant(at));
  const containerStatuses = [
    { name: 'main', restartCount: 0, state: { terminated: { exitCode, finishedAt } } },
  ];
  const conditions = disrupted === true ? [{ type: 'DisruptionTarget', status: 'True' }] : [];
  return { ...pod, status: { phase, containerStatuses, conditions } };
}

function isOver({ status }: KubeObject): boolean {
  return isObject(status) && (status.phase === 'Succeeded' || status.phase === 'Failed');
}

interface Fate {
  readonly at: number;
  readonly given: GivenEnd;
}

/** A tick in every minute, until the Jobs are what they are at the end. */
export async function jobsEveryMinute(history: JobHistory): Promise<Readonly<Record<string, JobLeft>>> {
  const { jobs, from, until, endOf, tick = tickJobs } = history;
  const store = memoryStore({ objects: jobs, now: from });
  const fates = new Map<string, Fate>();
  const turns = new Map<string, number>();
  const stopped = new Map<string, number>();
  const counts = new Map<string, { started: number; succeeded: number; failed: number }>();
  const countsOf = (job: string) => {
    const known = counts.get(job) ?? { started: 0, succeeded: 0, failed: 0 };
    counts.set(job, known);
    return known;
  };
  for (let now = from; now < until; now = instant(now + 60)) {
    for (const pod of podsOf(store)) {
      const uid = pod.metadata.uid ?? '';
      const job = pod.metadata.ownerReferences?.[0]?.name ?? '';
      const fate = fates.get(uid);
      if (isOver(pod) || fate === undefined) continue;
      const stop = stopped.get(uid);
      if (stop !== undefined) {
        const after = over(pod, { seconds: 0, end: { exitCode: 143 } }, stop + 1);
        if ((pod.metadata.finalizers ?? []).length === 0) store.remove(keyOf(pod));
        else store.put(after);
      } else if (fate.at <= now) {
        store.put(over(pod, fate.given, fate.at));
        countsOf(job)[
          fate.given.end.exitCode === 0 && fate.given.end.disrupted !== true ? 'succeeded' : 'failed'
        ] += 1;
      }
    }
    await tick(store, now);
    const made = store.writes().flatMap(({ verb, key }) => (verb === 'create' ? [key.name] : []));
    const turn = ({ metadata }: KubeObject): number => made.lastIndexOf(metadata.name);
    for (const pod of [...podsOf(store)].sort((a, b) => turn(a) - turn(b))) {
      const uid = pod.metadata.uid ?? '';
      if (pod.metadata.deletionTimestamp !== undefined) {
        if (!stopped.has(uid)) stopped.set(uid, now);
        continue;
      }
      if (fates.has(uid)) continue;
      const job = pod.metadata.ownerReferences?.[0]?.name ?? '';
      const index = pod.metadata.annotations?.[INDEX];
      const place = `${job} ${index ?? ''}`;
      const nth = turns.get(place) ?? 0;
      turns.set(place, nth + 1);
      countsOf(job).started += 1;
      const given = endOf(job, index === undefined ? undefined : Number(index), nth);
      fates.set(uid, { at: now + Math.max(1, given.seconds), given });
      store.edit(keyOf(pod), (made) => ({
        ...made,
        metadata: { ...made.metadata, creationTimestamp: formatInstant(now) },
        spec: { ...(made.spec as object), nodeName: 'node' },
        status: {
          phase: 'Running',
          conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: formatInstant(now) }],
        },
      }));
    }
  }
  const left = store.objects().filter(({ kind }) => kind === 'Job');
  return Object.fromEntries(
    left.map(({ metadata, status }) => [
      metadata.name,
      { status, backoff: metadata.annotations?.['minutehand.dev/backoff'], ...countsOf(metadata.name) },
    ]),
  );
}
