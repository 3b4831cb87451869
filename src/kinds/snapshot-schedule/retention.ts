import { SLOT_ANNOTATION } from '#core/object/annotations.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { readTime, readTimeValue, timeOf } from '#core/object/time-field.ts';
import type { Retention, RetentionRule } from '#core/retention.ts';
import { type GfsItem, type GfsRule, keepsNothing, keptByGfs } from '#core/run/gfs.ts';
import { type Instant, parseInstant } from '#core/time/instant.ts';
import { phaseOf, policyOf } from './observe.ts';
import { type Policy, readPolicy, repositoryOf } from './policy.ts';
import { ORIGIN_LABEL, POLICY } from './resources.ts';
import { gfsRule, RepositoryRef } from './schema.ts';
import type { Targets } from './targets.ts';

const ORIGINS: readonly (string | undefined)[] = ['scheduled', 'manual'];

/** Anything but a plain no: what cannot be read is never taken for one. */
function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** D30: only what a schedule or a person started, with success, and that nobody has pinned. */
export function isCandidate(run: KubeObject): boolean {
  const { labels, deletionTimestamp } = run.metadata;
  const status = isObject(run.status) ? run.status : {};
  const origin = textMember(status, 'origin') ?? labels?.[ORIGIN_LABEL];
  const pinned = isSet(status.pinned) || (isObject(run.spec) && isSet(run.spec.pin));
  return (
    phaseOf(run) === 'succeeded' && ORIGINS.includes(origin) && !pinned && deletionTimestamp === undefined
  );
}

function endOf(run: KubeObject): Instant | undefined {
  const timing = isObject(run.status) ? run.status.timing : undefined;
  return timeOf(readTime(timing, 'endTime')) ?? timeOf(readTimeValue(run.metadata.creationTimestamp));
}

/** `namespace/name`, which a status also says as one text; a claim without a namespace is in that of the run. */
function claimText(pvc: Json | undefined, namespace: string): string | undefined {
  if (typeof pvc === 'string' && pvc !== '') return `pvc ${pvc.includes('/') ? pvc : `${namespace}/${pvc}`}`;
  const name = textMember(pvc, 'name');
  return name === undefined ? undefined : `pvc ${textMember(pvc, 'namespace') ?? namespace}/${name}`;
}

/** What the run backs up: the PVC it was started for, else what its operator resolved. */
function sourceOf({ metadata: { namespace = '' }, spec, status }: KubeObject): string {
  const source = isObject(spec) ? spec.source : undefined;
  const target = isObject(source) ? source.target : undefined;
  const own = claimText(isObject(target) ? target.pvc : undefined, namespace);
  if (own !== undefined) return own;
  const resolved = isObject(status) && isObject(status.resolved) ? status.resolved.sources : undefined;
  if (!Array.isArray(resolved)) return '';
  return resolved
    .map((one: Json) => {
      const claim = claimText(isObject(one) ? one.pvc : undefined, namespace);
      return claim ?? `path ${textMember(one, 'sourcePath') ?? ''}`;
    })
    .sort(compareText)
    .join(' ');
}

/** The one it was started for, else the one its operator resolved, else that of its policy today. */
function repositoryKey({ spec, status }: KubeObject, policy: Policy): string {
  const resolved = isObject(status) && isObject(status.resolved) ? status.resolved.repository : undefined;
  for (const ref of [isObject(spec) ? spec.repository : undefined, resolved]) {
    if (typeof ref === 'string' && ref !== '') return ref;
    const parsed = isObject(ref) ? RepositoryRef.safeParse(withoutNulls(ref)) : undefined;
    if (parsed?.success === true) return repositoryOf(parsed.data, policy.namespace).key;
  }
  return policy.repositories[0]?.key ?? '';
}

/** Per repository and source, never per policy as a whole. */
function surplus(owner: KubeObject, runs: readonly KubeObject[]): readonly KubeObject[] {
  const read = readPolicy(owner);
  if (read.state !== 'found' || read.policy.spec.retention === undefined) return [];
  const rule = gfsRule(read.policy.spec.retention);
  if (keepsNothing(rule)) return [];
  const groups = new Map<string, KubeObject[]>();
  for (const run of runs) {
    if (!isCandidate(run)) continue;
    const group = `${repositoryKey(run, read.policy)} ${sourceOf(run)}`;
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [run]);
    else members.push(run);
  }
  return [...groups.values()]
    .flatMap((members) => outdated(rule, members))
    .sort((a, b) => a.endedAt - b.endedAt || compareText(a.id, b.id))
    .map(({ run }) => run);
}

interface Dated extends GfsItem {
  readonly run: KubeObject;
}

/** A run of which nobody knows when it ended cannot be compared, and stays. */
function outdated(rule: GfsRule, members: readonly KubeObject[]): readonly Dated[] {
  const dated = members.flatMap((run): Dated[] => {
    const endedAt = endOf(run);
    return endedAt === undefined ? [] : [{ run, id: run.metadata.name, endedAt }];
  });
  const kept = keptByGfs(rule, dated);
  return dated.filter(({ id }) => !kept.has(id));
}

function slotOf(run: KubeObject): Instant | undefined {
  const marked = run.metadata.annotations?.[SLOT_ANNOTATION];
  return marked === undefined ? undefined : parseInstant(marked);
}

/** GFS of a SnapshotPolicy over its successful Snapshots (snapshot-schedule.md 4.2, D30). */
export const retention: Retention = {
  id: 'snapshot-policy',
  resource: POLICY,
  governs: (run) => {
    const policy = policyOf(run);
    return policy === undefined ? undefined : `${run.metadata.namespace ?? ''}/${policy}`;
  },
  surplus,
  slotOf,
  per: 'repository and each PVC or path',
};

/** The rules of the policies that a schedule is for, as far as these can be read. */
export function retainedBy(targets: Targets): readonly RetentionRule[] {
  if (targets.form === 'unknown') return [];
  return targets.targets.flatMap(({ found }): readonly RetentionRule[] => {
    if (found.state !== 'found') return [];
    const { object, spec } = found.policy;
    if (spec.retention === undefined) return [{ owner: object, keeps: undefined }];
    const kept = Object.entries(gfsRule(spec.retention)).filter(([, count]) => count > 0);
    return [{ owner: object, keeps: Object.fromEntries(kept) }];
  });
}
