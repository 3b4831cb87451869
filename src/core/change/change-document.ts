import type {
  AnnotateChange,
  Change,
  ChangeReason,
  DeleteChange,
  Precondition,
} from '#core/change/change.ts';
import { type FieldDiff, fieldDiffs } from '#core/change/diff.ts';
import { type Mask, maskSecrets } from '#core/change/mask.ts';
import type { WorkChange } from '#core/change/work-change.ts';
import type { Json, JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import { apiVersionOf, EVENT, type ResourceType } from '#core/object/resource.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

/** Names an object as the API does; `namespace` is left out for cluster-scoped kinds. */
export interface ObjectDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

interface Common {
  readonly object: ObjectDocument;
  readonly reason: ChangeReason;
  readonly slot?: string;
}

/** A change as it is published; everything that looks secret is masked in bodies, fields and differences. */
export type ChangeDocument =
  | (Common & { readonly verb: 'create'; readonly body: Json })
  | (Common & {
      readonly verb: 'delete';
      readonly precondition: Precondition;
      /** Annotations that are written first. */
      readonly marks?: DeleteChange['marks'];
    })
  | (Common & {
      readonly verb: 'annotate';
      readonly precondition: Precondition;
      readonly annotations: AnnotateChange['annotations'];
    })
  | (Common & {
      readonly verb: 'apply';
      readonly subresource: 'status';
      /** Left out where the object is made, or found, by the create before it. */
      readonly precondition?: Precondition;
      readonly fields: Json;
      /** Annotations that travel in the same write. */
      readonly annotations?: AnnotateChange['annotations'];
      readonly diff: readonly FieldDiff[];
    })
  | (Common & {
      readonly verb: 'release';
      readonly precondition: Precondition;
      readonly finalizers: readonly string[];
    })
  | (Common & { readonly verb: 'event'; readonly body: Json });

export function toObjectDocument(apiVersion: string, key: ObjectKey): ObjectDocument {
  const { kind, namespace, name } = key;
  return { apiVersion, kind, ...(namespace === '' ? {} : { namespace }), name };
}

/** An object is plain data beyond its checked metadata; a member that is undefined counts as absent. */
export function toBody(object: KubeObject, mask: Mask): Json {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return maskSecrets(Object.fromEntries(members) as JsonObject, mask);
}

function common(
  change: { readonly key: ObjectKey; readonly reason: ChangeReason; readonly slot?: Instant },
  type: ResourceType,
): Common {
  const { key, reason, slot } = change;
  return {
    object: toObjectDocument(apiVersionOf(type), key),
    reason,
    ...(slot === undefined ? {} : { slot: formatInstant(slot) }),
  };
}

export function toChangeDocument(change: Change | WorkChange, mask: Mask): ChangeDocument {
  switch (change.verb) {
    case 'create':
      return { verb: 'create', ...common(change, change.type), body: toBody(change.object, mask) };
    case 'delete':
      return {
        verb: 'delete',
        ...common(change, change.type),
        precondition: change.precondition,
        ...('marks' in change && change.marks !== undefined ? { marks: change.marks } : {}),
      };
    case 'annotate': {
      const { precondition, annotations } = change;
      return { verb: 'annotate', ...common(change, change.type), precondition, annotations };
    }
    case 'apply':
      return {
        verb: 'apply',
        ...common(change, change.type),
        subresource: 'status',
        ...(change.precondition === undefined ? {} : { precondition: change.precondition }),
        fields: maskSecrets(change.fields, mask),
        ...('annotations' in change && change.annotations !== undefined
          ? { annotations: change.annotations }
          : {}),
        diff: statusDiff(change, mask),
      };
    case 'release': {
      const { precondition, finalizers } = change;
      return { verb: 'release', ...common(change, change.type), precondition, finalizers };
    }
    case 'event':
      return { verb: 'event', ...common(change, EVENT), body: toBody(change.object, mask) };
  }
}

/** The differences of a status write, with paths from the root of the object. */
export function statusDiff(
  change: Pick<Extract<Change, { readonly verb: 'apply' }>, 'before' | 'fields'>,
  mask: Mask,
): readonly FieldDiff[] {
  return fieldDiffs({ status: change.before }, { status: change.fields }, mask);
}
