import type { ToldEvent } from '#core/explanation.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

export function uidOfEvent({ regarding }: KubeObject): string | undefined {
  return isObject(regarding) ? textMember(regarding, 'uid') : undefined;
}

function isAbout(event: KubeObject, { metadata: { uid, namespace = '' } }: KubeObject): boolean {
  return (event.metadata.namespace ?? '') === namespace && uid !== undefined && uidOfEvent(event) === uid;
}

function told(event: KubeObject): ToldEvent {
  const text = (member: string): string => {
    const value = event[member];
    return typeof value === 'string' ? value : '';
  };
  return { at: text('eventTime'), type: text('type'), reason: text('reason'), note: text('note') };
}

/** The events about an object, the latest first. */
export function toldAbout(events: readonly KubeObject[], object: KubeObject): readonly ToldEvent[] {
  return events
    .filter((event) => isAbout(event, object))
    .map(told)
    .sort((a, b) => compareText(b.at, a.at) || compareText(a.reason, b.reason));
}

/** An event names the slot that it is about in its note; of several the first counts. */
export function eventOfSlot(events: readonly ToldEvent[], slot: Instant): ToldEvent | undefined {
  const text = formatInstant(slot);
  return events.find(({ note }) => note.includes(text));
}
