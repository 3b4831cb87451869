import type { KubeObject } from '#core/object/object.ts';
import type { Evaluation } from '#drivers/managed-job/evaluation.ts';

/** An evaluation with its steps sorted by what they do. */
export interface ByVerb extends Evaluation {
  readonly creates: readonly KubeObject[];
  readonly deletes: readonly KubeObject[];
  /** Pods whose finalizer is taken off. */
  readonly releases: readonly KubeObject[];
  readonly deleteJob: boolean;
}

export function byVerb(evaluation: Evaluation): ByVerb {
  const { steps } = evaluation;
  return {
    ...evaluation,
    creates: steps.flatMap((step) => (step.verb === 'create' ? step.pods : [])),
    deletes: steps.flatMap((step) => (step.verb === 'delete' ? [step.pod] : [])),
    releases: steps.flatMap((step) => (step.verb === 'release' ? [step.pod] : [])),
    deleteJob: steps.some(({ verb }) => verb === 'deleteJob'),
  };
}
