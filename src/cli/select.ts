import type { ScheduleKind } from '#core/kind.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { type Listing, type Observed, typeId } from '#core/observed.ts';
import type { SelectionFlags } from './flags.ts';

/** Some schedules may be left out. */
export function isSelective({ namespace, selector, ...flags }: SelectionFlags): boolean {
  return selector !== undefined || (namespace !== undefined && !flags['all-namespaces']);
}

function selected(listing: Listing, { namespace, selector, ...flags }: SelectionFlags): Listing {
  if (listing.state !== 'read') return listing;
  const wanted = flags['all-namespaces'] ? undefined : namespace;
  const isWanted = ({ object: { metadata } }: SourcedObject): boolean => {
    if (wanted !== undefined && (metadata.namespace ?? '') !== wanted) return false;
    return selector === undefined || selector(metadata.labels ?? {});
  };
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
