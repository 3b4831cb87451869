import { applicationOf } from '#api/backups/reference.ts';
import { BACKUP_JOB } from '#api/backups/resources.ts';
import type { KubeObject } from '#core/object/object.ts';
import { controllerReference } from '#core/object/owner.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { type NamedRun, runMarks } from '#core/run/marks.ts';
import type { Instant } from '#core/time/instant.ts';
import type { PlanSpec } from './schema.ts';

/** backups.md B.2: the slot in minutes, so that a repeat collides instead of doubling, with upstream's controller too. */
export function runName(plan: string, slot: Instant): string {
  return `${plan}-${Math.floor(slot / 60)}`;
}

/** Shaped as backups.md B.2 says, with the marks of design.md 3.16. */
export function buildRun(plan: KubeObject, spec: PlanSpec, run: NamedRun): KubeObject {
  const { name, namespace } = plan.metadata;
  return {
    apiVersion: apiVersionOf(BACKUP_JOB),
    kind: BACKUP_JOB.kind,
    metadata: {
      name: run.name,
      ...(namespace === undefined ? {} : { namespace }),
      annotations: runMarks(plan, run.slot),
      ownerReferences: [controllerReference(plan)],
    },
    spec: {
      planRef: { name },
      // An absent group and an empty one mean the same, and a BackupJob says it in full.
      applicationRef: { ...applicationOf(spec.applicationRef) },
      backupClassName: spec.backupClassName,
    },
  };
}
