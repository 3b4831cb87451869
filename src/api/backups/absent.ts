import { absentReferent } from '#core/absent-referent.ts';
import type { Finding } from '#core/kind.ts';
import { nearestName } from '#core/nearest-name.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import type { FieldPath, KubeObject } from '#core/object/object.ts';
import type { Referents } from '#core/referents.ts';
import { resolveBackupClass } from './backup-class.ts';
import { applicationOf, type TypedReference } from './reference.ts';
import { BACKUP_CLASS } from './resources.ts';

/** An application that is not among the manifests. */
export function absentApplication(
  reference: TypedReference,
  { namespace, path, referents }: { namespace: string; path: FieldPath; referents: Referents },
): readonly Finding[] {
  const { apiGroup: group, kind, name } = applicationOf(reference);
  const why = 'nothing is backed up or restored while the application does not exist';
  return absentReferent({ type: { group, kind }, namespace, name, path: [...path, 'name'], why }, referents);
}

/** The kinds that a class has a strategy for. */
function kindsOf({ spec }: KubeObject): readonly string[] {
  const strategies = isObject(spec) ? spec['strategies'] : undefined;
  if (!Array.isArray(strategies)) return [];
  return strategies.flatMap((entry: unknown) => {
    const kind = isObject(entry) ? textMember(entry['application'], 'kind') : undefined;
    return kind === undefined ? [] : [kind];
  });
}

/** A class that is not among the manifests, or that has nothing for the application. */
export function absentClass(
  { applicationRef, backupClassName: name }: { applicationRef: TypedReference; backupClassName: string },
  referents: Referents,
): readonly Finding[] {
  const found = referents.find(BACKUP_CLASS, '', name);
  const application = applicationOf(applicationRef);
  const resolution = resolveBackupClass(found, application);
  const shown = JSON.stringify(name.slice(0, 60));
  if (resolution.state === 'missing') {
    const why = 'no driver answers for a backup without its class';
    const path = ['spec', 'backupClassName'];
    return absentReferent({ type: BACKUP_CLASS, namespace: '', name, path, why }, referents);
  }
  if (resolution.state !== 'noMatch') return [];
  const { kind, apiGroup } = application;
  const nearest = found.state === 'found' ? nearestName(kind, kindsOf(found.object)) : undefined;
  return [
    {
      code: 'ReferentUnusable',
      severity: 'warning',
      path: ['spec', 'applicationRef', 'kind'],
      what: `BackupClass ${shown} has no strategy for ${kind} of ${apiGroup}`,
      why: 'its backups fail at once',
      ...(nearest === undefined || nearest === kind ? {} : { fix: `write ${nearest}` }),
    },
  ];
}
