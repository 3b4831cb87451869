import type { ToldEvent } from '#core/explanation.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { listingOf, type Observed } from '#core/observed.ts';
import type { Instant } from '#core/time/instant.ts';
import { eventOfSlot, toldAbout, uidOfEvent } from '#core/told-events.ts';

/** What an event says of a slot of a schedule; undefined where none does. */
export type SlotTeller = (schedule: KubeObject) => (slot: Instant) => ToldEvent | undefined;

const NOTHING = (): undefined => undefined;

/** Events name the slot that they are about in their note; the latest counts. */
export function slotTeller(observed: Observed): SlotTeller {
  const listing = listingOf(observed, EVENT);
  if (listing.state !== 'read') return () => NOTHING;
  const byUid = Map.groupBy(listing.objects, ({ object }) => uidOfEvent(object));
  return (schedule) => {
    const own = byUid.get(schedule.metadata.uid) ?? [];
    const events = toldAbout(
      own.map(({ object }) => object),
      schedule,
    );
    return events.length === 0 ? NOTHING : (slot) => eventOfSlot(events, slot);
  };
}
