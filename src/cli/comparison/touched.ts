import type { ComparedSide } from '#core/comparison/lookup.ts';
import { sameValue } from '#core/object/canonical.ts';
import type { Json, SourcedObject } from '#core/object/object.ts';
import { idOf } from './world.ts';

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

/** The objects that a server gets to see: those that the head adds or alters. */
export function touchedBy(base: ComparedSide, head: ComparedSide): readonly Touched[] {
  const before = new Map(base.sources.map((source) => [idOf(source), source]));
  return head.sources.flatMap((source) => {
    const old = before.get(idOf(source));
    return old !== undefined && isSame(source, old) ? [] : [{ source, old }];
  });
}
