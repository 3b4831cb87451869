import { holderText } from '#core/holder-text.ts';
import { LAST_COMPLETED_ANNOTATION } from '#core/object/annotations.ts';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { instant, parseInstant } from '#core/time/instant.ts';
import type { Holder, Recorded } from '#store/port.ts';

export const LEASE: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  singular: 'lease',
  shortNames: [],
  namespaced: true,
};

/** Longer than a server is unresponsive for, and short enough that the tick after a killed one mostly finds it free. */
export const LEASE_SECONDS = 15;
/** Nobody waits longer for a holder whose clock is ahead by no more than a Lease lasts. */
const MOST_WAIT_MS = 2 * LEASE_SECONDS * 1000;
/** The last moment that has a date of four digits. */
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');
/** The API counts in 32 bits. */
const MOST_TRANSITIONS = 2 ** 31 - 1;
/** Tells our Leases from those of others, which are never taken. */
const OURS = { 'app.kubernetes.io/managed-by': 'minutehand' } as const;

/** What a Lease says, its times in milliseconds. */
export type LeaseRecord =
  | { readonly state: 'free' }
  | {
      readonly state: 'held';
      readonly holder: string;
      readonly since: number | undefined;
      readonly renewed: number;
      readonly until: number;
    }
  | { readonly state: 'unreadable'; readonly what: string };

/** The `MicroTime` of the API, which has exactly six digits behind the second. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

function timeOf(value: unknown): number {
  return typeof value === 'string' && parseInstant(value) !== undefined ? Date.parse(value) : Number.NaN;
}

function specOf({ spec }: KubeObject): JsonObject {
  return isObject(spec) ? spec : {};
}

export function isOurs({ metadata }: KubeObject): boolean {
  return Object.entries(OURS).every(([label, value]) => metadata.labels?.[label] === value);
}

export function readLease(lease: KubeObject): LeaseRecord {
  const { holderIdentity, leaseDurationSeconds, acquireTime, renewTime } = specOf(lease);
  if (typeof holderIdentity !== 'string' || holderIdentity === '') return { state: 'free' };
  const renewed = timeOf(renewTime);
  if (Number.isNaN(renewed) || typeof leaseDurationSeconds !== 'number')
    return { state: 'unreadable', what: 'it names a holder, and not until when' };
  const acquired = timeOf(acquireTime);
  return {
    state: 'held',
    holder: holderIdentity,
    since: Number.isNaN(acquired) ? undefined : acquired,
    renewed,
    until: renewed + leaseDurationSeconds * 1000,
  };
}

export function holderOf(
  { holder, since, renewed, until }: Extract<LeaseRecord, { state: 'held' }>,
  nowMs: number,
): Holder {
  const isStuck = until - nowMs > MOST_WAIT_MS;
  const ahead = Math.floor((renewed - nowMs) / 1000);
  return {
    name: holderText(holder),
    since: since === undefined ? undefined : instant(since / 1000),
    until: instant(Math.ceil(Math.min(until, LAST_MS) / 1000)),
    ...(isStuck ? { stuck: { aheadSeconds: ahead < LEASE_SECONDS ? 0 : ahead } } : {}),
  };
}

export function recordedIn({ metadata }: KubeObject): Recorded {
  const text = metadata.annotations?.[LAST_COMPLETED_ANNOTATION];
  if (text === undefined) return { state: 'none' };
  const at = parseInstant(text);
  return at === undefined ? { state: 'unreadable', text } : { state: 'at', at };
}

/** The spec of a Lease that is taken now. */
export function takenSpec(before: KubeObject | undefined, holder: string, ms: number): JsonObject {
  const { leaseTransitions } = before === undefined ? {} : specOf(before);
  const now = microTime(ms);
  return {
    holderIdentity: holder,
    leaseDurationSeconds: LEASE_SECONDS,
    acquireTime: now,
    renewTime: now,
    leaseTransitions: Math.min(
      (typeof leaseTransitions === 'number' ? leaseTransitions : 0) + 1,
      MOST_TRANSITIONS,
    ),
  };
}

export function newLease({ namespace, name }: ObjectKey, holder: string, ms: number): KubeObject {
  return {
    apiVersion: apiVersionOf(LEASE),
    kind: LEASE.kind,
    metadata: { namespace, name, labels: OURS },
    spec: takenSpec(undefined, holder, ms),
  };
}

export function holdsLease(lease: KubeObject, holder: string): boolean {
  return specOf(lease)['holderIdentity'] === holder;
}
