import { toldAbsences } from '#core/explain-absence.ts';
import type { Explanation } from '#core/explanation.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { listingOf, type Observed } from '#core/observed.ts';
import { toldAbout } from '#core/told-events.ts';

const MOST = 5;

/** With the latest events about the schedule: why a slot of the past did not run stands nowhere else. */
export function withEvents(explanation: Explanation, schedule: KubeObject, observed: Observed): Explanation {
  const listing = listingOf(observed, EVENT);
  if (listing.state !== 'read') return explanation;
  const events = toldAbout(
    listing.objects.map(({ object }) => object),
    schedule,
  );
  return { ...explanation, events: events.slice(0, MOST), previous: toldAbsences(explanation, events) };
}
