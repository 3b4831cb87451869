import { isAbout, told } from '#core/explain-events.ts';
import type { ToldEvent } from '#core/explanation.ts';
import { isObject } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { listingOf, type Observed } from '#core/observed.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

/** What an event says of a slot of a schedule; undefined where none does. */
export type SlotTeller = (schedule: KubeObject) => (slot: Instant) => ToldEvent | undefined;

const NOTHING = (): undefined => undefined;

function uidOf(event: KubeObject): string | undefined {
  const uid = isObject(event.regarding) ? event.regarding['uid'] : undefined;
  return typeof uid === 'string' ? uid : undefined;
}

/** Events name the slot that they are about in their note; the latest counts. */
export function slotTeller(observed: Observed): SlotTeller {
  const listing = listingOf(observed, EVENT);
  if (listing.state !== 'read') return () => NOTHING;
  const byUid = Map.groupBy(listing.objects, ({ object }) => uidOf(object));
  return (schedule) => {
    const events = (byUid.get(schedule.metadata.uid) ?? [])
      .flatMap(({ object }) => (isAbout(object, schedule) ? [told(object)] : []))
      .sort((a, b) => compareText(b.at, a.at) || compareText(a.reason, b.reason));
    if (events.length === 0) return NOTHING;
    return (slot) => events.find(({ note }) => note.includes(formatInstant(slot)));
  };
}
