import type { ScheduleKind } from '#core/kind.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import { type Listing, type Observed, typeId } from '#core/observed.ts';
import type { SelectionFlags } from './flags.ts';

/** Some schedules may be left out. */
export function isSelective({ namespace, selector, ...flags }: SelectionFlags): boolean {
  return selector !== undefined || (namespace !== undefined && !flags['all-namespaces']);
}

/** Whether an object is acted on; what schedules point to is read all the same. */
export function isSelected(
  { metadata }: KubeObject,
  { namespace, selector, ...flags }: SelectionFlags,
): boolean {
  const wanted = flags['all-namespaces'] ? undefined : namespace;
  if (wanted !== undefined && (metadata.namespace ?? '') !== wanted) return false;
  return selector === undefined || selector(metadata.labels ?? {});
}

function selected(listing: Listing, flags: SelectionFlags): Listing {
  if (listing.state !== 'read') return listing;
  const isWanted = ({ object }: SourcedObject): boolean => isSelected(object, flags);
  const unreadable = listing.unreadable?.filter(({ source }) => isWanted(source));
  return {
    ...listing,
    objects: listing.objects.filter(isWanted),
    ...(unreadable === undefined ? {} : { unreadable }),
  };
}

/** Narrows the schedules that are looked at. Runs stay all: one left out could be started a second time. */
export function selectSchedules(
  observed: Observed,
  kinds: readonly ScheduleKind[],
  flags: SelectionFlags,
): Observed {
  const schedules = new Set(kinds.map(({ resource }) => typeId(resource)));
  return new Map(
    [...observed].map(([id, listing]) => [id, schedules.has(id) ? selected(listing, flags) : listing]),
  );
}
