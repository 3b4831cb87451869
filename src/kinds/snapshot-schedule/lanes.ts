import { isObject } from '#core/object/canonical.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { type PolicyRepository, repositoryOf } from './policy.ts';
import { SCHEDULE } from './resources.ts';
import { RepositoryRef } from './schema.ts';
import { isSuspended, type Target, type Targets } from './targets.ts';

/** Of one policy alone where a run says for which. */
function isFor({ name }: Target, run: KubeObject | undefined): boolean {
  const ref = isObject(run?.spec) ? run.spec['policyRef'] : undefined;
  return !isObject(ref) || ref['name'] === name;
}

/** Written on a run only where its policy has several. */
function ownRepository(run: KubeObject | undefined): PolicyRepository | undefined {
  const read = RepositoryRef.safeParse(isObject(run?.spec) ? run.spec['repository'] : undefined);
  return read.success ? repositoryOf(read.data, run?.metadata.namespace ?? '') : undefined;
}

/** The repositories that a slot writes to, or one run of it. */
export function lanesOf(targets: Targets, run: KubeObject | undefined): readonly ObjectKey[] {
  if (targets.form === 'unknown') return [];
  const own = ownRepository(run);
  const repositories = targets.targets.flatMap((target) =>
    target.found.state === 'found' && !isSuspended(target) && isFor(target, run)
      ? target.found.policy.repositories
      : [],
  );
  const wanted = own === undefined ? repositories : [own];
  return [...new Map(wanted.map((one) => [one.key, one])).values()].map(({ kind, namespace, name }) => {
    return { group: SCHEDULE.group, kind, namespace, name };
  });
}
