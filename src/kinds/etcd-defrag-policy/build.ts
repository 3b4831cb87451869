import { FULL_NAME_ANNOTATION } from '#core/object/annotations.ts';
import { isObject } from '#core/object/canonical.ts';
import { labelValue } from '#core/object/label-value.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { controllerReference } from '#core/object/owner.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { type NamedRun, runMarks } from '#core/run/marks.ts';
import type { Instant } from '#core/time/instant.ts';
import { CLUSTER_LABEL, DEFRAG, POLICY_LABEL } from './resources.ts';

/** etcd-defrag-policy.md A.5: the slot in Unix seconds, so that a repeat collides instead of doubling. */
export function runName(policy: string, slot: Instant): string {
  return `${policy}-${slot}`;
}

const COPIED = ['clusterRef', 'rule', 'ttlSecondsAfterFinished'] as const;

/** Shaped as etcd-defrag-policy.md A.5 says, with the marks of design.md 3.16. */
export function buildRun(policy: KubeObject, cluster: string, run: NamedRun): KubeObject {
  const { name, namespace } = policy.metadata;
  const source = isObject(policy.spec) ? policy.spec : {};
  const label = labelValue(cluster);
  const spec: Record<string, Json> = {};
  for (const field of COPIED) {
    const value = source[field];
    if (value !== undefined && value !== null) spec[field] = value;
  }
  return {
    apiVersion: apiVersionOf(DEFRAG),
    kind: DEFRAG.kind,
    metadata: {
      name: run.name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { [POLICY_LABEL]: name, [CLUSTER_LABEL]: label },
      annotations: {
        ...runMarks(policy, run.slot),
        ...(label === cluster ? {} : { [FULL_NAME_ANNOTATION]: cluster }),
      },
      ownerReferences: [controllerReference(policy)],
    },
    spec,
  };
}
