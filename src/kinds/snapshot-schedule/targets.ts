import type { LabelMatcher } from '#api/label-selector.ts';
import type { Finding } from '#core/kind.ts';
import { nearestName } from '#core/nearest-name.ts';
import { compareText } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { Referents } from '#core/referents.ts';
import { findPolicy, type PolicyState, readPolicy, whyUnusable } from './policy.ts';
import { POLICY } from './resources.ts';

/** One policy that a slot is for. */
export interface Target {
  readonly name: string;
  readonly found: PolicyState;
}

/** The policies of a schedule: the one that it names, or every match of its selector. */
export type Targets =
  | { readonly form: 'ref' | 'selector'; readonly targets: readonly Target[] }
  /** Which policies match cannot be told. */
  | { readonly form: 'unknown'; readonly reason: string };

/** How a schedule names its policies. */
export type Aim = { readonly policy: string } | { readonly matches: LabelMatcher };

function selected(referents: Referents, namespace: string, matches: LabelMatcher): Targets {
  const policies = referents.inNamespace(POLICY, namespace);
  if (policies.state === 'unreadable') return { form: 'unknown', reason: policies.reason };
  const targets = policies.objects
    .filter(({ metadata }) => matches(metadata.labels ?? {}))
    .map((object): Target => ({ name: object.metadata.name, found: readPolicy(object) }))
    .sort((a, b) => compareText(a.name, b.name));
  return { form: 'selector', targets };
}

/** snapshot-schedule.md 3.4: sorted by name; suspended policies are among them, and are told apart later. */
export function targetsOf(referents: Referents, namespace: string, aim: Aim): Targets {
  if ('matches' in aim) return selected(referents, namespace, aim.matches);
  const found = findPolicy(referents, namespace, aim.policy);
  return { form: 'ref', targets: [{ name: aim.policy, found }] };
}

export function isSuspended({ found }: Target): boolean {
  return found.state === 'found' && found.policy.spec.suspend === true;
}

/** In one sentence; undefined where a policy matches, or where that cannot be told. */
export function unmatchedSelector(targets: Targets): string | undefined {
  return targets.form === 'selector' && targets.targets.length === 0
    ? 'no SnapshotPolicy matches spec.policySelector'
    : undefined;
}

/** What is missing, under deletion or unreadable among the targets, in one sentence. */
export function missingTargets(targets: Targets): string | undefined {
  if (targets.form === 'unknown') return `snapshotpolicies cannot be read: ${targets.reason}`;
  const reasons = targets.targets.flatMap(({ name, found }) => whyUnusable(name, found) ?? []);
  return reasons.length === 0 ? undefined : reasons.join('; ');
}

/** A policy that is named and is not there; a warning where others of its namespace are. */
export function absentPolicies(
  { metadata: { namespace = '' } }: KubeObject,
  targets: Targets,
  referents: Referents,
): readonly Finding[] {
  if (targets.form !== 'ref') return [];
  const policies = referents.inNamespace(POLICY, namespace);
  const names = policies.state === 'read' ? policies.objects.map(({ metadata }) => metadata.name) : [];
  return targets.targets
    .filter(({ found }) => found.state === 'missing')
    .map(({ name }): Finding => {
      const nearest = nearestName(name, names);
      return {
        code: 'ReferentUnusable',
        severity: names.length > 0 ? 'warning' : 'note',
        path: ['spec', 'policyRef', 'name'],
        what: `no SnapshotPolicy ${JSON.stringify(name.slice(0, 60))} is among these manifests`,
        why: 'nothing is started while the policy does not exist',
        ...(nearest === undefined ? {} : { fix: `write ${nearest}` }),
      };
    });
}
