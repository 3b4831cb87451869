import { FULL_NAME_ANNOTATION } from '#core/object/annotations.ts';
import { labelValue } from '#core/object/label-value.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { type NamedRun, runMarks } from '#core/run/marks.ts';
import type { Member } from './fan-out.ts';
import type { Policy, PolicyRepository } from './policy.ts';
import {
  GROUP_LABEL,
  MANAGED_BY_LABEL,
  ORIGIN_LABEL,
  POLICY_LABEL,
  SCHEDULE_LABEL,
  SNAPSHOT,
} from './resources.ts';

function repositorySpec({ kind, name, namespace }: PolicyRepository): JsonObject {
  return { kind, name, ...(namespace === '' ? {} : { namespace }) };
}

/** snapshot-schedule.md 1.3, the fields that a firing writes. */
function specOf(policy: Policy, { claim, repository, group }: Member): JsonObject {
  const { defaultDeletionPolicy } = policy.spec;
  return {
    policyRef: { name: policy.name },
    ...(repository === undefined ? {} : { repository: repositorySpec(repository) }),
    ...(claim === undefined
      ? {}
      : {
          source: {
            sourceIndex: claim.sourceIndex,
            target: { pvc: { namespace: claim.namespace, name: claim.name } },
            ...(group === undefined
              ? {}
              : { group: { namespace: claim.namespace, volumeGroupSnapshotName: group } }),
          },
        }),
    ...(defaultDeletionPolicy === undefined ? {} : { deletionPolicy: defaultDeletionPolicy }),
  };
}

/** The names that had to be cut to fit a label, in full. */
function fullNames(names: readonly string[]): Readonly<Record<string, string>> {
  const cut = names.filter((name) => labelValue(name) !== name);
  return cut.length === 0 ? {} : { [FULL_NAME_ANNOTATION]: cut.join(',') };
}

/**
 * The Snapshot of a slot, snapshot-schedule.md 3.5, with the marks of design.md 3.16. No owner reference (D2):
 * deleting a schedule leaves its runs alone. One that is made by hand has no slot, and is no run of its schedule: it has
 * not its label.
 */
export function buildSnapshot(
  schedule: KubeObject,
  policy: Policy,
  run: NamedRun & { readonly member: Member },
): KubeObject {
  const { name, namespace } = schedule.metadata;
  return {
    apiVersion: apiVersionOf(SNAPSHOT),
    kind: SNAPSHOT.kind,
    metadata: {
      name: run.name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: {
        [MANAGED_BY_LABEL]: 'kopiur',
        [ORIGIN_LABEL]: run.slot === undefined ? 'manual' : 'scheduled',
        [POLICY_LABEL]: labelValue(policy.name),
        ...(run.slot === undefined ? {} : { [SCHEDULE_LABEL]: labelValue(name) }),
        ...(run.member.group === undefined ? {} : { [GROUP_LABEL]: run.member.group }),
      },
      annotations: {
        ...runMarks(schedule, run.slot),
        ...fullNames(run.slot === undefined ? [policy.name] : [name, policy.name]),
      },
    },
    spec: specOf(policy, run.member),
  };
}
