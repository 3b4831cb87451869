import { readLabelSelector } from '#api/label-selector.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import type { Referents } from '#core/referents.ts';
import { CLUSTER_REPOSITORY, POLICY, REPOSITORY } from './resources.ts';
import { PolicySpec, type RepositoryRef } from './schema.ts';

/** A repository as a policy names it, its namespace filled in. */
export interface PolicyRepository {
  readonly kind: 'Repository' | 'ClusterRepository';
  readonly name: string;
  /** Empty for a ClusterRepository. */
  readonly namespace: string;
  /** `Repository/<namespace>/<name>` or `ClusterRepository/<name>` (snapshot-schedule.md 1.5). */
  readonly key: string;
}

/** A SnapshotPolicy that was read. */
export interface Policy {
  readonly name: string;
  readonly namespace: string;
  readonly object: KubeObject;
  readonly spec: PolicySpec;
  readonly repositories: readonly PolicyRepository[];
}

/** What a schedule finds under a name; nothing is started for the last three. */
export type PolicyState =
  | { readonly state: 'found'; readonly policy: Policy }
  | { readonly state: 'missing' }
  | { readonly state: 'terminating' }
  | { readonly state: 'unreadable'; readonly reason: string };

export function repositoryOf(ref: RepositoryRef, namespace: string): PolicyRepository {
  const { kind = 'Repository', name } = ref;
  if (kind === 'ClusterRepository') return { kind, name, namespace: '', key: `ClusterRepository/${name}` };
  const own = ref.namespace ?? namespace;
  return { kind, name, namespace: own, key: `Repository/${own}/${name}` };
}

function repositoriesOf(
  { repository, repositories }: PolicySpec,
  namespace: string,
): readonly PolicyRepository[] {
  const refs = repositories ?? (repository === undefined ? [] : [repository]);
  // One that is named twice is one repository all the same.
  return [...new Map(refs.map((ref) => repositoryOf(ref, namespace)).map((one) => [one.key, one])).values()];
}

/** Nothing may be chosen by a rule that was not understood. */
function isOdd(selector: Json | undefined): boolean {
  return selector !== undefined && readLabelSelector(selector, []).issues.length > 0;
}

const read = new WeakMap<KubeObject, PolicyState>();

/** Many schedules look at one policy: it is read once. */
export function readPolicy(object: KubeObject): PolicyState {
  const known = read.get(object);
  if (known !== undefined) return known;
  const state = parsePolicy(object);
  read.set(object, state);
  return state;
}

function parsePolicy(object: KubeObject): PolicyState {
  const { name, namespace = '', deletionTimestamp } = object.metadata;
  // A terminating policy is treated like a missing one (snapshot-schedule.md 1.4).
  if (deletionTimestamp !== undefined) return { state: 'terminating' };
  const parsed = PolicySpec.safeParse(withoutNulls(object.spec ?? {}));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = ['spec', ...(issue?.path ?? [])].map(String).join('.');
    return { state: 'unreadable', reason: `its ${path} cannot be used` };
  }
  const odd = (parsed.data.sources ?? []).findIndex(({ pvcSelector }) => isOdd(pvcSelector?.labelSelector));
  if (odd >= 0) return { state: 'unreadable', reason: `the pvcSelector of its source ${odd} cannot be used` };
  const repositories = repositoriesOf(parsed.data, namespace);
  return { state: 'found', policy: { name, namespace, object, spec: parsed.data, repositories } };
}

export function findPolicy(referents: Referents, namespace: string, name: string): PolicyState {
  const found = referents.find(POLICY, namespace, name);
  return found.state === 'found' ? readPolicy(found.object) : found;
}

export function findRepository(
  referents: Referents,
  repository: PolicyRepository,
): ReturnType<Referents['find']> {
  const type = repository.kind === 'ClusterRepository' ? CLUSTER_REPOSITORY : REPOSITORY;
  return referents.find(type, repository.namespace, repository.name);
}

/** One sentence for people; undefined for a policy that can be used. */
export function whyUnusable(name: string, found: PolicyState): string | undefined {
  switch (found.state) {
    case 'found':
      return undefined;
    case 'missing':
      return `SnapshotPolicy ${name} does not exist`;
    case 'terminating':
      return `SnapshotPolicy ${name} is being deleted`;
    case 'unreadable':
      return `SnapshotPolicy ${name} cannot be read: ${found.reason}`;
  }
}
