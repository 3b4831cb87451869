import type { Finding } from '#core/kind.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { timeOf } from '#core/object/time-field.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import {
  type Reading,
  readMoment,
  readNumber,
  readPart,
  readParts,
  readString,
  readStrings,
} from './reading.ts';

/** A time with the spelling that it has: another spelling would be a change. */
export interface Moment {
  readonly at: Instant;
  readonly text: string;
}

/** Pods that are finished and not in the counters yet, by their uids. */
export interface Uncounted {
  readonly succeeded: readonly string[];
  readonly failed: readonly string[];
}

/** `status` of a Job: every field that its controller owns. */
export interface JobStatus {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: string;
  readonly failedIndexes: string | undefined;
  readonly uncounted: Uncounted;
  readonly startTime: Moment | undefined;
  readonly completionTime: Moment | undefined;
  readonly conditions: readonly JsonObject[];
}

export function momentOf(at: Instant): Moment {
  return { at, text: formatInstant(at) };
}

function readTimeField(status: Reading, key: string): Moment | undefined {
  const field = readMoment(status, key);
  const at = timeOf(field);
  return field.state === 'read' && at !== undefined ? { at, text: field.text } : undefined;
}

/** A status of `true` without quotes is none: nobody can tell what it means. */
function readCondition(condition: Reading): JsonObject {
  readString(condition, 'type');
  readString(condition, 'status');
  return condition.value;
}

/** @param problems takes what the API could not have written: counters would fall if it was taken for absent */
export function readJobStatus(job: KubeObject, problems: Finding[]): JobStatus {
  const whole: Reading = { value: { status: job.status ?? null }, path: '', problems };
  const status: Reading = { ...readPart(whole, 'status'), path: 'status' };
  const uncounted = readPart(status, 'uncountedTerminatedPods');
  return {
    active: readNumber(status, 'active') ?? 0,
    ready: readNumber(status, 'ready') ?? 0,
    terminating: readNumber(status, 'terminating') ?? 0,
    succeeded: readNumber(status, 'succeeded') ?? 0,
    failed: readNumber(status, 'failed') ?? 0,
    completedIndexes: readString(status, 'completedIndexes') ?? '',
    failedIndexes: readString(status, 'failedIndexes'),
    uncounted: {
      succeeded: readStrings(uncounted, 'succeeded'),
      failed: readStrings(uncounted, 'failed'),
    },
    startTime: readTimeField(status, 'startTime'),
    completionTime: readTimeField(status, 'completionTime'),
    conditions: readParts(status, 'conditions').map(readCondition),
  };
}

function optional(key: string, value: string | number | undefined): JsonObject {
  return value === undefined || value === 0 || value === '' ? {} : { [key]: value };
}

function listMember(key: string, uids: readonly string[]): JsonObject {
  return uids.length === 0 ? {} : { [key]: uids };
}

/** The status as the API spells it: counters that are zero are left out, `ready` and `terminating` are not. */
export function statusJson(status: JobStatus): JsonObject {
  const { conditions, failedIndexes, ready, terminating, uncounted } = status;
  return {
    ...optional('active', status.active),
    ...optional('completedIndexes', status.completedIndexes),
    ...optional('completionTime', status.completionTime?.text),
    ...(conditions.length === 0 ? {} : { conditions }),
    ...optional('failed', status.failed),
    ...(failedIndexes === undefined ? {} : { failedIndexes }),
    ready,
    ...optional('startTime', status.startTime?.text),
    ...optional('succeeded', status.succeeded),
    terminating,
    uncountedTerminatedPods: {
      ...listMember('failed', uncounted.failed),
      ...listMember('succeeded', uncounted.succeeded),
    },
  };
}
