import type { ScheduleKind } from '#core/kind.ts';
import { type Listing, type Observed, typeId } from '#core/observed.ts';
import type { SelectionFlags } from './flags.ts';

function selected(listing: Listing, { namespace, selector, ...flags }: SelectionFlags): Listing {
  if (listing.state !== 'read') return listing;
  const wanted = flags['all-namespaces'] ? undefined : namespace;
  const objects = listing.objects.filter(({ object: { metadata } }) => {
    if (wanted !== undefined && (metadata.namespace ?? '') !== wanted) return false;
    return selector === undefined || selector(metadata.labels ?? {});
  });
  return { state: 'read', objects };
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
