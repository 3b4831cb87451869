import { referenceText } from '#api/backups/reference.ts';
import type { RestorePoint } from '#api/backups/restore-point.ts';
import { nearestName } from '#core/nearest-name.ts';
import { groupOf } from '#core/object/resource.ts';
import type { LiveObject, LiveReference } from '#core/run/driver.ts';
import { escapeText } from '#render/escape-text.ts';
import type { ApplicationRef } from './application-ref.ts';
import type { Objects } from './with-objects.ts';

/** What a restore goes into, once it was looked at. */
type CheckedTarget =
  | {
      readonly ok: true;
      /** As the API spells it; undefined: the Backup's own application. */
      readonly target: ApplicationRef | undefined;
      readonly warning?: string;
    }
  | { readonly ok: false; readonly message: string };

function isSameType({ application }: RestorePoint, { kind, group }: ApplicationRef): boolean {
  const isOfGroup = group === undefined || group === application.group;
  return isOfGroup && kind.toLowerCase() === application.kind.toLowerCase();
}

function otherType({ application, key }: RestorePoint, { kind, group }: ApplicationRef): string {
  const meant = group === undefined ? kind : `${kind} of ${group}`;
  const taken = `${application.kind} of ${application.group}`;
  const fix = 'to restore across kinds, write the RestoreJob by hand';
  return escapeText(
    `--target names a ${meant}, and Backup ${key.name} was taken of a ${taken}: name one of these; ${fix}`,
  );
}

/** Of manifests: an application of the kind that has nearly this name. */
function meantText({ input }: Objects, { group, kind, namespace, name }: LiveReference): string {
  const names = input.objects.flatMap(({ object: { apiVersion, kind: other, metadata } }) =>
    groupOf(apiVersion) === group && other === kind && metadata.namespace === namespace
      ? [metadata.name]
      : [],
  );
  const nearest = nearestName(name, names);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

/** Why nobody can say that the application is there; undefined where it is. */
function doubt(found: LiveObject, reference: LiveReference, objects: Objects): string | undefined {
  const { group, kind, namespace, name } = reference;
  const shown = `${referenceText({ apiGroup: group, kind, name })} in the namespace ${namespace}`;
  switch (found.state) {
    case 'found':
      return found.object.metadata.deletionTimestamp === undefined ? undefined : `${shown} is being deleted`;
    case 'missing':
      return objects.place.kind === 'cluster'
        ? `${shown} does not exist`
        : `${shown} is not among what was read${meantText(objects, reference)}`;
    case 'unserved':
      return `${shown} cannot exist: this cluster knows no such kind`;
    case 'failed':
      return `whether there is a ${shown} could not be found out: ${found.reason}`;
  }
}

/**
 * Checks what a Backup is restored into. A target that was typed, and that a cluster does not have, is a slip; what
 * manifests lack may come from elsewhere, and the Backup's own application may be on its way back.
 */
export async function checkTarget(
  objects: Objects,
  backup: RestorePoint,
  typed: ApplicationRef | undefined,
): Promise<CheckedTarget> {
  const { application, key } = backup;
  // A record of another driver may lack it.
  const isTold = application.kind !== '';
  if (typed === undefined && !isTold)
    return {
      ok: false,
      message: `${escapeText(key.name)} does not say of which application it was taken: write --target KIND/NAME`,
    };
  if (typed !== undefined && isTold && !isSameType(backup, typed))
    return { ok: false, message: otherType(backup, typed) };
  const target =
    typed === undefined ? undefined : { ...typed, ...(isTold ? { kind: application.kind } : {}) };
  const reference = {
    group: target?.group ?? application.group,
    kind: target?.kind ?? application.kind,
    namespace: key.namespace,
    name: target?.name ?? application.name,
  };
  const found = await objects.store.find(reference);
  const problem = doubt(found, reference, objects);
  if (problem === undefined) return { ok: true, target };
  const isCertain =
    found.state === 'unserved' || (found.state === 'missing' && objects.place.kind === 'cluster');
  const message = escapeText(problem);
  return typed !== undefined && isCertain
    ? { ok: false, message: `--target: ${message}` }
    : { ok: true, target, warning: message };
}
