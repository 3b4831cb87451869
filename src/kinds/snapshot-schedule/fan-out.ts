import { readLabelSelector } from '#api/label-selector.ts';
import { PERSISTENT_VOLUME_CLAIM } from '#api/resources.ts';
import { compareText } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { Referents } from '#core/referents.ts';
import type { Blocker, Omission, PlannedRun, RunPlan } from '#core/run/plan.ts';
import type { Instant } from '#core/time/instant.ts';
import { buildSnapshot } from './build.ts';
import { groupName, snapshotName } from './names.ts';
import { type Policy, type PolicyRepository, whyUnusable } from './policy.ts';
import type { Source } from './schema.ts';
import { isSuspended, type Target, type Targets, unmatchedSelector } from './targets.ts';

/** A PVC of a source of a policy. */
export interface Claim {
  readonly sourceIndex: number;
  readonly namespace: string;
  readonly name: string;
  /** Taken together with the other claims of its source and namespace. */
  readonly grouped: boolean;
}

/** One Snapshot of a policy. */
export interface Member {
  readonly claim: Claim | undefined;
  /** The VolumeGroupSnapshot that it is taken from, with others. */
  readonly group: string | undefined;
  /** Written only where the policy has several. */
  readonly repository: PolicyRepository | undefined;
}

/** snapshot-schedule.md 3.4: more than this for one policy mints nothing. */
const FANOUT_CAP = 400;

type Claims = { readonly claims: readonly Claim[] } | { readonly unreadable: string };

type Selector = NonNullable<Source['pvcSelector']>;

function matchedClaims(
  referents: Referents,
  policy: Policy,
  { labelSelector, namespaceSelector }: Selector,
  sourceIndex: number,
): Claims {
  const { matches } = readLabelSelector(labelSelector ?? {}, ['spec', 'sources', sourceIndex]);
  const claims: Claim[] = [];
  for (const namespace of namespaceSelector?.matchNames ?? [policy.namespace]) {
    const found = referents.inNamespace(PERSISTENT_VOLUME_CLAIM, namespace);
    if (found.state === 'unreadable') return { unreadable: found.reason };
    const names: string[] = [];
    for (const { metadata } of found.objects) {
      if (matches(metadata.labels ?? {})) names.push(metadata.name);
    }
    // One claim alone is no group.
    const grouped = policy.spec.groupBy === 'VolumeGroupSnapshot' && names.length > 1;
    claims.push(...names.map((name) => ({ sourceIndex, namespace, name, grouped })));
  }
  return { claims };
}

/** A source of another shape has no PVC of its own. */
function claimsOfSource(referents: Referents, policy: Policy, source: Source, sourceIndex: number): Claims {
  const { pvc, pvcSelector } = source;
  if (pvcSelector !== undefined) return matchedClaims(referents, policy, pvcSelector, sourceIndex);
  if (pvc === undefined) return { claims: [] };
  return { claims: [{ sourceIndex, namespace: policy.namespace, name: pvc.name, grouped: false }] };
}

/** Every PVC of a policy that selects PVCs, once; undefined for a policy that does not. */
function claimsOf(referents: Referents, policy: Policy): Claims | undefined {
  const { sources = [] } = policy.spec;
  if (!sources.some(({ pvcSelector }) => pvcSelector !== undefined)) return undefined;
  const claims = new Map<string, Claim>();
  for (const [sourceIndex, source] of sources.entries()) {
    const found = claimsOfSource(referents, policy, source, sourceIndex);
    if ('unreadable' in found) return found;
    for (const claim of found.claims) {
      const id = `${claim.namespace}/${claim.name}`;
      if (!claims.has(id)) claims.set(id, claim);
    }
  }
  const sorted = [...claims.values()].sort(
    (a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name),
  );
  return { claims: sorted };
}

type Pair = Pick<Member, 'claim' | 'repository'>;

interface Fanout {
  readonly members: readonly Pair[];
  readonly blocked?: Blocker;
  readonly omitted?: Omission;
}

function membersOf(referents: Referents, policy: Policy): Fanout {
  const found = claimsOf(referents, policy);
  const { name: target } = policy;
  if (found !== undefined && 'unreadable' in found) {
    const what = `the PersistentVolumeClaims of SnapshotPolicy ${target} cannot be read: ${found.unreadable}`;
    return { members: [], blocked: { code: 'unreadable', target, what } };
  }
  const claims = found === undefined ? [undefined] : found.claims;
  if (claims.length === 0) {
    const what = `no PersistentVolumeClaim matches SnapshotPolicy ${target}`;
    return { members: [], omitted: { reason: 'NoClaimMatches', severity: 'warning', target, what } };
  }
  const repositories = policy.repositories.length > 1 ? policy.repositories : [undefined];
  const size = claims.length * repositories.length;
  if (size > FANOUT_CAP) {
    const what = `SnapshotPolicy ${target} asks for ${size} Snapshots, at most ${FANOUT_CAP} are started for one policy`;
    return { members: [], omitted: { reason: 'FanoutTooLarge', severity: 'error', target, what } };
  }
  return { members: claims.flatMap((claim) => repositories.map((repository) => ({ claim, repository }))) };
}

/** Why nothing can be started for a policy; it may be there on the next tick. */
function blockerOf({ name, found }: Target): Blocker | undefined {
  const what = whyUnusable(name, found);
  if (what === undefined) return undefined;
  return { code: found.state === 'unreadable' ? 'unreadable' : 'held', target: name, what };
}

function nameOf(target: string, { claim, repository }: Pair): string {
  const parts = [target];
  if (claim !== undefined) parts.push(`pvc ${claim.namespace}/${claim.name}`);
  if (repository !== undefined) parts.push(repository.key);
  return parts.join(' ');
}

/** When Snapshots are started, and whether a person asked for them instead of a slot. */
interface Start {
  readonly at: Instant;
  readonly byHand?: true;
}

/** What a slot of a schedule wants started (snapshot-schedule.md 3.4), or a person who asks for the same. */
export function planSnapshots(
  schedule: KubeObject,
  targets: Targets,
  referents: Referents,
  start: Start,
): RunPlan {
  if (targets.form === 'unknown') {
    const what = `snapshotpolicies cannot be read: ${targets.reason}`;
    return { runs: [], blocked: [{ code: 'unreadable', target: '', what }], omitted: [] };
  }
  const runs: PlannedRun[] = [];
  const blocked: Blocker[] = [];
  const omitted: Omission[] = [];
  for (const target of targets.targets) {
    const blocker = blockerOf(target);
    if (blocker !== undefined) blocked.push(blocker);
    if (target.found.state !== 'found') continue;
    if (isSuspended(target)) {
      omitted.push({
        reason: 'PolicySuspended',
        severity: 'note',
        target: target.name,
        what: `SnapshotPolicy ${target.name} is suspended: nothing is started for it`,
      });
      continue;
    }
    const { policy } = target.found;
    const fanout = membersOf(referents, policy);
    if (fanout.blocked !== undefined) blocked.push(fanout.blocked);
    if (fanout.omitted !== undefined) omitted.push(fanout.omitted);
    runs.push(...fanout.members.map((member) => planned(schedule, targets.form, policy, { member, start })));
  }
  const unmatched = unmatchedSelector(targets);
  if (unmatched !== undefined) {
    omitted.push({ reason: 'NoPolicyMatches', severity: 'warning', target: '', what: unmatched });
  }
  return { runs, blocked, omitted };
}

function planned(
  schedule: KubeObject,
  form: 'ref' | 'selector',
  policy: Policy,
  { member, start }: { readonly member: Pair; readonly start: Start },
): PlannedRun {
  const { claim, repository } = member;
  const slot = start.byHand === true ? undefined : start.at;
  const parts = {
    schedule: schedule.metadata.name,
    slot: start.at,
    byHand: start.byHand === true,
    policyNamespace: policy.namespace,
    ...(form === 'selector' ? { policy: policy.name } : {}),
    ...(claim === undefined ? {} : { claim }),
    ...(repository === undefined ? {} : { repository }),
  };
  const name = snapshotName(parts);
  const group = claim?.grouped === true ? groupName(parts, claim) : undefined;
  return {
    target: nameOf(policy.name, member),
    name,
    build: () => buildSnapshot(schedule, policy, { name, slot, member: { ...member, group } }),
  };
}
