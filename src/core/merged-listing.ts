import { compareKeys, keyOf } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { type Listing, NOT_IN_THIS_TICK, type Scope } from '#core/observed.ts';

type Read = Extract<Listing, { readonly state: 'read' }>;
type Names = ReadonlySet<string>;

/** Those that are not among the others. */
export function except(names: Names, others: Names): Names {
  return new Set([...names].filter((one) => !others.has(one)));
}

function bySource(a: SourcedObject, b: SourcedObject): number {
  return compareKeys(keyOf(a.object), keyOf(b.object));
}

/** Why namespaces are not all known: of those that were read again as the later list has it. */
function gapsOf(before: Read, later: Read, read: Names): Pick<Read, 'incomplete'> {
  const kept = [...(before.incomplete ?? [])].filter(([namespace]) => !read.has(namespace));
  const incomplete = new Map([...kept, ...(later.incomplete ?? [])]);
  return incomplete.size === 0 ? {} : { incomplete };
}

function scopeOf(before: Read, later: Read, asked: Names, read: Names): Scope {
  const { namespaces = [], deferred, without } = before.scope ?? {};
  return {
    reason: later.scope?.reason ?? NOT_IN_THIS_TICK,
    namespaces: new Set([...namespaces, ...read]),
    ...(deferred === undefined ? {} : { deferred: except(deferred, asked) }),
    ...(without === undefined ? {} : { without }),
  };
}

/** What is known of a type once some namespaces were read whole: there the later list holds, elsewhere the earlier one. */
export function mergedListing(before: Read, later: Read, asked: Names): Read {
  const read = later.scope?.namespaces ?? asked;
  const isElsewhere = ({ object: { metadata } }: SourcedObject): boolean =>
    !read.has(metadata.namespace ?? '');
  const kept = before.objects.filter(isElsewhere);
  const unreadable = [
    ...(before.unreadable ?? []).filter(({ source }) => isElsewhere(source)),
    ...(later.unreadable ?? []),
  ];
  return {
    state: 'read',
    objects: kept.length === 0 ? later.objects : [...kept, ...later.objects].sort(bySource),
    ...gapsOf(before, later, read),
    ...(unreadable.length === 0 ? {} : { unreadable }),
    scope: scopeOf(before, later, asked, read),
  };
}
