import { isSelected, type Selection } from '#cli/select.ts';
import type { ComparedSide } from '#core/comparison/lookup.ts';
import { sameValue } from '#core/object/canonical.ts';
import type { Json, SourcedObject } from '#core/object/object.ts';
import { isOfType } from '#core/object/resource.ts';
import { DRIVERS } from '#drivers/index.ts';
import { idOf } from './world.ts';

const ORDERS = DRIVERS.flatMap(({ orders }) => orders);

/** What a change writes: an object of the head, and what it was. */
export interface Touched {
  readonly source: SourcedObject;
  readonly old: SourcedObject | undefined;
}

function isSame({ object: a }: SourcedObject, { object: b }: SourcedObject): boolean {
  const { status: _status, metadata: metaA, ...restA } = a;
  const { status: _other, metadata: metaB, ...restB } = b;
  const declared = ({ labels, annotations, ownerReferences, finalizers }: typeof metaA): Json =>
    ({
      labels: labels ?? {},
      annotations: annotations ?? {},
      ownerReferences: ownerReferences ?? [],
      finalizers: finalizers ?? [],
    }) as unknown as Json;
  return sameValue(restA, restB) && sameValue(declared(metaA), declared(metaB));
}

/** Orders are selected as schedules are; what they point to only by where it stands, if it stands anywhere. */
function isMeant({ object }: SourcedObject, selection: Selection): boolean {
  const { namespace } = object.metadata;
  const isOrder = ORDERS.some((type) => isOfType(object, type));
  const { namespaces, selector } = selection;
  return isSelected(object, {
    namespaces: namespace === undefined ? undefined : namespaces,
    selector: isOrder ? selector : undefined,
  });
}

/** The objects that a server gets to see: those that the head adds or alters, as far as they are looked at. */
export function touchedBy(base: ComparedSide, head: ComparedSide, selection: Selection): readonly Touched[] {
  const before = new Map(base.sources.map((source) => [idOf(source), source]));
  return head.sources.flatMap((source) => {
    const old = before.get(idOf(source));
    const isLeft = (old !== undefined && isSame(source, old)) || !isMeant(source, selection);
    return isLeft ? [] : [{ source, old }];
  });
}
