import type { EventChange } from '#core/change/change.ts';
import type { EventDraft } from '#core/kind.ts';
import { fnv1a32 } from '#core/object/hash.ts';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { apiVersionOf, EVENT } from '#core/object/resource.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { FIELD_MANAGER } from '#core/writer.ts';

/** Limits of events.k8s.io/v1, in bytes. */
const MAX_NOTE = 1024;
const MAX_NAME = 253;

/** The beginning of a text that has no more bytes than that in UTF-8, and no half characters. */
function cutBytes(text: string, most: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(most)).read);
}

/** Deterministic, so that telling a transition twice is told once. */
function eventName(owner: KubeObject, draft: EventDraft): string {
  const identity = `${owner.metadata.uid ?? ''}/${draft.reason}/${draft.identity}`;
  const suffix = `.${fnv1a32(identity)}${fnv1a32(`${identity}/`)}`;
  const name = owner.metadata.name.slice(0, MAX_NAME - suffix.length).replace(/[^A-Za-z0-9]+$/, '');
  return name + suffix;
}

/** `namespace/name` of every event that exists, so that a transition is told once; `untold` = nothing is told. */
export type KnownEvents = ReadonlySet<string> | 'untold';

const NOTHING: readonly EventChange[] = [];

/** What of these is not told yet. */
export function untoldEvents(
  owner: KubeObject,
  drafts: readonly EventDraft[],
  known: KnownEvents,
  now: Instant,
): readonly EventChange[] {
  if (known === 'untold' || drafts.length === 0) return NOTHING;
  const changes = drafts.map((draft) => eventChange(owner, draft, now));
  return changes.filter(({ key }) => !known.has(`${key.namespace}/${key.name}`));
}

/** An event about a schedule, in events.k8s.io/v1; cluster-scoped owners tell theirs in `default`. */
export function eventChange(owner: KubeObject, draft: EventDraft, now: Instant): EventChange {
  const { name, namespace, uid } = owner.metadata;
  const regarding = {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
  };
  const object: KubeObject = {
    apiVersion: apiVersionOf(EVENT),
    kind: EVENT.kind,
    metadata: { name: eventName(owner, draft), namespace: namespace ?? 'default' },
    action: draft.action,
    eventTime: formatInstant(now).replace('Z', '.000000Z'),
    note: cutBytes(draft.note, MAX_NOTE),
    reason: draft.reason,
    regarding,
    reportingController: FIELD_MANAGER,
    reportingInstance: FIELD_MANAGER,
    type: draft.type,
  };
  const change: EventChange = { verb: 'event', key: keyOf(object), reason: 'Transition', object };
  return draft.slot === undefined ? change : { ...change, slot: draft.slot };
}
