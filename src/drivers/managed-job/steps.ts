import { sameValue } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { type Backoff, backoffText } from './backoff.ts';
import type { JobStep } from './evaluation.ts';
import { type JobStatus, statusJson } from './job-status.ts';
import type { Managed } from './manage-pods.ts';
import type { NextStatus } from './next-status.ts';
import type { Pass } from './pass.ts';
import type { Pod } from './pod.ts';

/** Beginning with one, each batch twice the size: where every create is refused, few are tried (job.md 2.6). */
function batches(pods: readonly KubeObject[]): readonly JobStep[] {
  const steps: JobStep[] = [];
  for (let at = 0, size = 1; at < pods.length; at += size, size *= 2)
    steps.push({ verb: 'create', pods: pods.slice(at, at + size) });
  return steps;
}

function release({ object }: Pod): JobStep {
  return { verb: 'release', pod: object };
}

function remove({ object }: Pod): JobStep {
  return { verb: 'delete', pod: object };
}

/** Pods that are given up lose the finalizer first: nobody counts them. */
function removal(pods: readonly Pod[]): readonly JobStep[] {
  return [...pods.filter(({ tracked }) => tracked).map(release), ...pods.map(remove)];
}

/** A state of status and annotation. */
interface Written {
  readonly status: JsonObject;
  readonly backoff: string | undefined;
}

function written(status: JobStatus, backoff: Backoff): Written {
  return { status: statusJson(status), backoff: backoffText(backoff) };
}

function change(from: Written, to: Written): readonly JobStep[] {
  return sameValue(from, to) ? [] : [{ verb: 'status', ...to }];
}

interface StepsInput {
  readonly pass: Pass;
  readonly managed: Managed;
  /** Deleted because the Job is decided. */
  readonly stopped: readonly Pod[];
  /** Counted, or of no interest any more. */
  readonly releases: readonly Pod[];
  readonly next: NextStatus;
}

/**
 * The writes in an order in which a process may end after any of them. A verdict is written down before its pods are
 * stopped: stopped pods look like failures, and could lead to another verdict.
 */
export function stepsOf({ pass, managed, stopped, releases, next }: StepsInput): readonly JobStep[] {
  const read: Written = {
    status: statusJson(pass.status),
    backoff: backoffText(pass.backoff),
  };
  const last = written(next.after, next.backoffAfter);
  // Without a finalizer to take off, both writes are one.
  const first = releases.length === 0 ? last : written(next.before, next.backoffBefore);
  return [
    ...batches(managed.creates),
    ...removal(managed.removals),
    ...change(read, first),
    ...stopped.map(remove),
    ...releases.map(release),
    ...change(first, last),
  ];
}
