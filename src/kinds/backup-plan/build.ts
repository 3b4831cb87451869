import { applicationOf } from '#api/backups/reference.ts';
import { BACKUP_JOB } from '#api/backups/resources.ts';
import { MANUAL_ANNOTATION, OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import type { KubeObject } from '#core/object/object.ts';
import { controllerReference } from '#core/object/owner.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import type { PlanSpec } from './schema.ts';

/** backups.md B.2: the slot in minutes, so that a repeat collides instead of doubling, with upstream's controller too. */
export function runName(plan: string, slot: Instant): string {
  return `${plan}-${Math.floor(slot / 60)}`;
}

/** The run of a slot, shaped as backups.md B.2 says, with the marks of design.md 3.16. */
export function buildRun(plan: KubeObject, spec: PlanSpec, slot: Instant): KubeObject {
  const name = runName(plan.metadata.name, slot);
  return backupJobOf(plan, spec, { name, mark: { [SLOT_ANNOTATION]: formatInstant(slot) } });
}

/** The same for a person who asks for it. */
export function buildManualRun(plan: KubeObject, spec: PlanSpec, name: string): KubeObject {
  return backupJobOf(plan, spec, { name, mark: { [MANUAL_ANNOTATION]: 'true' } });
}

interface Marked {
  readonly name: string;
  readonly mark: Readonly<Record<string, string>>;
}

function backupJobOf(plan: KubeObject, spec: PlanSpec, run: Marked): KubeObject {
  const { name, namespace, uid } = plan.metadata;
  return {
    apiVersion: apiVersionOf(BACKUP_JOB),
    kind: BACKUP_JOB.kind,
    metadata: {
      name: run.name,
      ...(namespace === undefined ? {} : { namespace }),
      annotations: { ...run.mark, [OWNER_UID_ANNOTATION]: uid ?? '' },
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
