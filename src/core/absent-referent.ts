import type { Finding } from '#core/kind.ts';
import { nearestName } from '#core/nearest-name.ts';
import type { FieldPath } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Referents } from '#core/referents.ts';

/** A field that names another object. */
export interface Pointer {
  readonly type: Pick<ResourceType, 'group' | 'kind'>;
  /** Empty for what belongs to the whole cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly path: FieldPath;
  /** What follows while the object does not exist. */
  readonly why: string;
}

/** Only group and kind take part in a look-up. */
export function lookUpType({ group, kind }: Pointer['type']): ResourceType {
  return { group, kind, version: '', plural: '', singular: '', shortNames: [], namespaced: true };
}

/**
 * A name that leads nowhere among the objects that were read: it may stand elsewhere, and is a warning where others of
 * its kind are here.
 */
export function absentReferent(pointer: Pointer, referents: Referents): readonly Finding[] {
  const { namespace, name, path, why } = pointer;
  const type = lookUpType(pointer.type);
  if (referents.find(type, namespace, name).state !== 'missing') return [];
  const others = referents.inNamespace(type, namespace);
  const names = others.state === 'read' ? others.objects.map(({ metadata }) => metadata.name) : [];
  const nearest = nearestName(name, names);
  return [
    {
      code: 'ReferentUnusable',
      severity: names.length > 0 ? 'warning' : 'note',
      path,
      what: `no ${type.kind} ${JSON.stringify(name.slice(0, 60))} is among these manifests`,
      why,
      ...(nearest === undefined ? {} : { fix: `write ${nearest}` }),
    },
  ];
}
