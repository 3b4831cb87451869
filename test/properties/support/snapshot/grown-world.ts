import fc from 'fast-check';
import type { KubeObject } from '#core/object/object.ts';
import { type Instant, instant, parseInstant } from '#core/time/instant.ts';
import { type Beginning, someBeginning } from './arbitraries.ts';
import { newCluster } from './cluster.ts';
import { pass, prepare } from './history.ts';
import { type Step, someStep } from './step.ts';

/** A cluster that has lived for a while, right before the next tick. */
export interface GrownWorld {
  readonly objects: readonly KubeObject[];
  readonly now: Instant;
}

export interface Growth {
  readonly beginning: Beginning;
  readonly start: Instant;
  readonly steps: readonly Step[];
}

const STARTS = ['2026-03-28T20:00:20Z', '2026-10-24T20:00:20Z', '2026-06-10T08:00:20Z'] as const;

export const someStart = fc.constantFrom(...STARTS).map((text) => parseInstant(text) ?? instant(0));

/** Short lives, with everything that may go wrong in them. */
export const someGrowth: fc.Arbitrary<Growth> = fc.record({
  beginning: someBeginning,
  start: someStart,
  steps: fc.array(someStep(true), { minLength: 15, maxLength: 40, size: 'max' }),
});

/** By now every schedule that fires often owes something again. */
const REST = 3600;

/** Lives through it and stops before the tick of the last step, which is an hour late. */
export async function grow({ beginning, start, steps }: Growth): Promise<GrownWorld> {
  const cluster = newCluster(beginning, start);
  for (const step of steps.slice(0, -1)) await pass(cluster, step);
  const last = steps.at(-1);
  if (last !== undefined) prepare(cluster, { ...last, advance: last.advance + REST });
  return { objects: cluster.store.objects(), now: cluster.now };
}
