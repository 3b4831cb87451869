import { toldAbsences } from '#core/explain-absence.ts';
import type { Explanation, ToldEvent } from '#core/explanation.ts';
import { isObject } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { listingOf, type Observed } from '#core/observed.ts';

const MOST = 5;

export function isAbout(event: KubeObject, { metadata: { uid, namespace = '' } }: KubeObject): boolean {
  const regarding = isObject(event.regarding) ? event.regarding : {};
  return (event.metadata.namespace ?? '') === namespace && uid !== undefined && regarding.uid === uid;
}

/** An event as it is told of. */
export function told(event: KubeObject): ToldEvent {
  const text = (member: string): string => {
    const value = event[member];
    return typeof value === 'string' ? value : '';
  };
  return { at: text('eventTime'), type: text('type'), reason: text('reason'), note: text('note') };
}

/** With the latest events about the schedule: why a slot of the past did not run stands nowhere else. */
export function withEvents(explanation: Explanation, schedule: KubeObject, observed: Observed): Explanation {
  const listing = listingOf(observed, EVENT);
  if (listing.state !== 'read') return explanation;
  const events = listing.objects
    .flatMap(({ object }) => (isAbout(object, schedule) ? [told(object)] : []))
    .sort((a, b) => compareText(b.at, a.at) || compareText(a.reason, b.reason));
  return { ...explanation, events: events.slice(0, MOST), previous: toldAbsences(explanation, events) };
}
