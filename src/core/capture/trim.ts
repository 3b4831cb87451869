import { isObject, textMember } from '#core/object/canonical.ts';
import { keyOf } from '#core/object/key.ts';
import type { JsonObject, KubeObject, ManagedFieldsEntry, SourcedObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import type { CapturedList } from './capture.ts';

/** Who wrote which field of the status: the rest of the records decides nothing. */
function trimEntry({ manager, operation, subresource, fieldsV1 }: ManagedFieldsEntry): ManagedFieldsEntry {
  const status = fieldsV1?.['f:status'];
  const marks: JsonObject = isObject(status)
    ? Object.fromEntries(Object.keys(status).map((field) => [field, {}]))
    : {};
  return {
    ...(manager === undefined ? {} : { manager }),
    ...(operation === undefined ? {} : { operation }),
    ...(subresource === undefined ? {} : { subresource }),
    ...(isObject(status) ? { fieldsV1: { 'f:status': marks } } : {}),
  };
}

export function trimObject(object: KubeObject): KubeObject {
  const { managedFields, ...metadata } = object.metadata;
  if (managedFields === undefined) return object;
  return { ...object, metadata: { ...metadata, managedFields: managedFields.map(trimEntry) } };
}

/** What `eventName` puts behind the name of an owner. */
const SUFFIX = /\.[0-9a-f]{16}$/;

/** An event about an object that may get one, or one whose name an event about it could have. */
function eventFilter(owners: readonly KubeObject[]): (source: SourcedObject) => boolean {
  const uids = new Set(owners.map(({ metadata }) => metadata.uid));
  const names = new Set(owners.map(({ metadata }) => metadata.name));
  const longNames = [...names].filter((name) => name.length > 200);
  return ({ object }) => {
    const regarding = isObject(object.regarding) ? object.regarding : undefined;
    const uid = textMember(regarding, 'uid');
    const { name } = object.metadata;
    const stem = name.replace(SUFFIX, '');
    return (
      (uid !== undefined && uids.has(uid)) ||
      names.has(stem) ||
      longNames.some((long) => stem !== name && long.startsWith(stem))
    );
  };
}

/**
 * The lists without what no decision looks at: events of objects that a tick tells none about.
 * @param owners the types of objects that events are told about, by `typeId`
 */
export function trimLists(
  lists: readonly CapturedList[],
  owners: ReadonlySet<string>,
): readonly CapturedList[] {
  const told = lists.flatMap((list) =>
    owners.has(typeId(list)) && list.listing.state === 'read'
      ? list.listing.objects.map(({ object }) => object)
      : [],
  );
  const isWanted = eventFilter(told);
  return lists.map((list) => {
    const { listing } = list;
    if (typeId(list) !== typeId(EVENT) || listing.state !== 'read') return list;
    return { ...list, listing: { ...listing, objects: listing.objects.filter(isWanted) } };
  });
}

/** An object that is secret as a whole. */
export function isSecret(object: KubeObject): boolean {
  const { group, kind } = keyOf(object);
  return group === '' && kind === 'Secret';
}
