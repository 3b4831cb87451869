import type { EventDraft, Finding } from '#core/kind.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Verdict } from './verdict.ts';

export interface EvaluationSettings {
  /** Jobs whose `spec.managedBy` says otherwise are left alone; absent, it says `kubernetes.io/job-controller`. */
  readonly managedBy: string;
}

export interface EvaluationInput {
  readonly job: KubeObject;
  /**
   * Read after the Job, never before: a pod that lost its finalizer in between would be counted twice. A list that
   * could not be read whole is no list: what is missing from it would be taken for gone.
   */
  readonly pods: readonly KubeObject[];
  readonly now: Instant;
  readonly settings: EvaluationSettings;
  /** Of other pods in the namespace: names that no pod can get. */
  readonly takenNames?: ReadonlySet<string>;
}

/** One write of a pass; after each of them the process may end. */
export type JobStep =
  /** These may be created at once; the next batch only after all of them exist. */
  | { readonly verb: 'create'; readonly pods: readonly KubeObject[] }
  /** The tracking finalizer is taken off. */
  | { readonly verb: 'release'; readonly pod: KubeObject }
  | { readonly verb: 'delete'; readonly pod: KubeObject }
  /** Status and the annotation `minutehand.dev/backoff` in one write; no text: the annotation goes. */
  | { readonly verb: 'status'; readonly status: JsonObject; readonly backoff: string | undefined }
  /** In the foreground, with the uid as precondition, after the same question to a fresh read. */
  | { readonly verb: 'deleteJob' };

/** `skipped` somebody else's · `invalid` the API would not have taken it · `unknownMode` it is not known how to count. */
export type EvaluationState =
  | 'skipped'
  | 'invalid'
  | 'unknownMode'
  | 'finished'
  | 'suspended'
  | 'ending'
  | 'active';

/** Not before so many seconds is there something to do, unless a pod changes. */
export interface Requeue {
  readonly seconds: number;
  readonly reason: 'deadline' | 'backoff' | 'ttl';
}

/** What one pass wants, as data. */
export interface Evaluation {
  readonly state: EvaluationState;
  /** Why the Job is `invalid`, or `unknownMode`: errors, the first of which tells most. */
  readonly findings: readonly Finding[];
  /** The whole status once every step is done. */
  readonly status: JsonObject;
  readonly backoff: string | undefined;
  readonly verdict?: Verdict;
  /** In this order. */
  readonly steps: readonly JobStep[];
  /** Told once all steps went through. */
  readonly events: readonly EventDraft[];
  /** What is waited for; the first of it is `requeue`. */
  readonly waits: readonly Requeue[];
  readonly requeue?: Requeue;
}
