import fc from 'fast-check';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { deletePod, phaseOf, type World, withPod } from './world.ts';

/** What happens to a pod within a minute; `evicted`: somebody deletes it, and it is over a minute later. */
export type Fate = 'succeeds' | 'fails' | 'isBadData' | 'isDisrupted' | 'runs' | 'evicted' | 'stuck';

/** What somebody does to the Job in a minute. */
export type Deed = 'nothing' | 'suspend' | 'resume' | 'shrink' | 'grow' | 'delete';

export interface Scenario {
  readonly spec: JsonObject;
  readonly minutes: readonly { readonly fates: readonly Fate[]; readonly deed: Deed }[];
}

const FAILURE_POLICY: JsonObject = {
  rules: [
    { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
    { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
  ],
};

const small = fc.integer({ min: 0, max: 4 });

function present(key: string, value: fc.Arbitrary<JsonObject | number | string>): fc.Arbitrary<JsonObject> {
  return fc.oneof(
    fc.constant<JsonObject>({}),
    value.map((one): JsonObject => ({ [key]: one })),
  );
}

function merged(...parts: readonly fc.Arbitrary<JsonObject>[]): fc.Arbitrary<JsonObject> {
  return fc.tuple(...parts).map((some) => Object.assign({}, ...some) as JsonObject);
}

const common = merged(
  present('backoffLimit', small),
  present('activeDeadlineSeconds', fc.integer({ min: 60, max: 900 })),
  fc.oneof(
    fc.constant<JsonObject>({}),
    fc.constant<JsonObject>({ podReplacementPolicy: 'Failed' }),
    fc.constant<JsonObject>({ podFailurePolicy: FAILURE_POLICY }),
  ),
);

const plain = merged(
  common,
  present('completions', small),
  fc.integer({ min: 1, max: 5 }).map((parallelism): JsonObject => ({ parallelism })),
);

const indexed = merged(
  common,
  fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean()).map(
    ([completions, elastic]): JsonObject => ({
      completionMode: 'Indexed',
      completions,
      parallelism: elastic ? completions : 2,
    }),
  ),
  present('backoffLimitPerIndex', fc.integer({ min: 0, max: 2 })),
  present('successPolicy', fc.constant<JsonObject>({ rules: [{ succeededIndexes: '0' }] })),
);

const FATES: readonly Fate[] = ['succeeds', 'fails', 'isBadData', 'isDisrupted', 'runs', 'evicted', 'stuck'];
const DEEDS: readonly Deed[] = ['suspend', 'resume', 'shrink', 'grow', 'delete'];

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  spec: fc.oneof(plain, indexed),
  minutes: fc.array(
    fc.record({
      fates: fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 6 }),
      deed: fc.oneof(
        { weight: 5, arbitrary: fc.constant<Deed>('nothing') },
        { weight: 1, arbitrary: fc.constantFrom(...DEEDS) },
      ),
    }),
    { minLength: 1, maxLength: 10 },
  ),
});

function over(pod: KubeObject, phase: string, exitCode: number, now: Instant): KubeObject {
  const terminated = { exitCode, finishedAt: formatInstant(now) };
  return {
    ...pod,
    status: { phase, containerStatuses: [{ name: 'main', restartCount: 0, state: { terminated } }] },
  };
}

function disrupted(pod: KubeObject, now: Instant): KubeObject {
  const conditions = [{ type: 'DisruptionTarget', status: 'True' }];
  const failed = over(pod, 'Failed', 143, now);
  return { ...failed, status: { ...(failed.status as JsonObject), conditions } };
}

function meet(world: World, pod: KubeObject, fate: Fate, now: Instant): World {
  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  switch (fate) {
    case 'succeeds':
      return withPod(world, over(pod, 'Succeeded', 0, now));
    case 'fails':
      return withPod(world, over(pod, 'Failed', 1, now));
    case 'isBadData':
      return withPod(world, over(pod, 'Failed', 42, now));
    case 'isDisrupted':
      return withPod(world, disrupted(pod, now));
    case 'runs':
      return withPod(world, { ...pod, status: ready });
    case 'evicted':
      return deletePod(world, pod.metadata.name, now);
    case 'stuck':
      return world;
  }
}

/** What the kubelet and people do to pods; what is on its way out is over now. */
export function movePods(world: World, fates: readonly Fate[], now: Instant): World {
  let moved = world;
  for (const [at, pod] of [...world.pods.values()].entries()) {
    if (['Succeeded', 'Failed'].includes(phaseOf(pod))) continue;
    const isLeaving = pod.metadata.deletionTimestamp !== undefined;
    const fate = fates[at % fates.length] ?? 'stuck';
    moved = isLeaving ? withPod(moved, over(pod, 'Failed', 137, now)) : meet(moved, pod, fate, now);
  }
  return moved;
}

function withSpec(world: World, part: JsonObject): World {
  const { job } = world;
  return { ...world, job: { ...job, spec: { ...(job.spec as JsonObject), ...part } } };
}

function resized(world: World, by: number): World {
  const spec = world.job.spec as JsonObject;
  const { completions, parallelism, completionMode } = spec;
  if (completionMode !== 'Indexed' || completions !== parallelism) return world;
  const size = Math.max(0, Number(completions) + by);
  return withSpec(world, { completions: size, parallelism: size });
}

export function doDeed(world: World, deed: Deed, now: Instant): World {
  switch (deed) {
    case 'nothing':
      return world;
    case 'suspend':
      return withSpec(world, { suspend: true });
    case 'resume':
      return withSpec(world, { suspend: false });
    case 'shrink':
      return resized(world, -1);
    case 'grow':
      return resized(world, 1);
    case 'delete': {
      const deletionTimestamp = formatInstant(now);
      return { ...world, job: { ...world.job, metadata: { ...world.job.metadata, deletionTimestamp } } };
    }
  }
}
