import type { CreateChange } from '#core/change/change.ts';
import type { Decision } from '#core/kind.ts';
import { compareKeys, keyId, keyOf } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import type { Unmet } from '#core/run/plan.ts';
import type { Entry } from '#core/settle.ts';

type Firing = Extract<Decision, { readonly state: 'fire' }>;

function unmetBy({ target, key }: CreateChange): Unmet {
  return { state: 'taken', target, name: key.name };
}

function without(decision: Firing, lost: readonly CreateChange[]): Decision {
  const creates = decision.creates.filter((create) => !lost.includes(create));
  const [first] = lost;
  const { timing, owed, plan } = decision;
  if (creates.length === 0 && first !== undefined)
    return { state: 'taken', timing, owed, plan, name: first.key.name };
  return { ...decision, creates, unmet: [...decision.unmet, ...lost.map(unmetBy)] };
}

/**
 * Two schedules can want one name in one tick. The first by namespace and name gets it; for the other it is taken, as
 * it would be on the next tick (snapshot-schedule.md D10).
 */
export function withoutCollisions(entries: readonly Entry[]): readonly Entry[] {
  return withoutSecondDeletes(withoutSecondCreates(entries));
}

/** Two schedules of one uid, as copies of an export are, both take its runs for their own: each run goes once. */
function withoutSecondDeletes(entries: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  let doubles = false;
  const isFirst = ({ key }: { readonly key: ObjectKey }): boolean => {
    const id = keyId(key);
    const first = !seen.has(id);
    seen.add(id);
    doubles ||= !first;
    return first;
  };
  const trimmed = entries.map((entry): Entry => {
    const { decision, removals, removed, cleanups } = entry;
    const victims = decision.state === 'fire' ? decision.victims : [];
    if (victims.length + removals.length + cleanups.length === 0) return entry;
    const kept = removals.map(isFirst);
    return {
      ...entry,
      decision: decision.state === 'fire' ? { ...decision, victims: victims.filter(isFirst) } : decision,
      removals: removals.filter((_, index) => kept[index]),
      removed: removed.filter((_, index) => kept[index]),
      cleanups: cleanups.filter(isFirst),
    };
  });
  return doubles ? trimmed : entries;
}

function withoutSecondCreates(entries: readonly Entry[]): readonly Entry[] {
  const firing = entries.filter(({ decision }) => decision.state === 'fire');
  if (firing.length < 2) return entries;
  const taken = new Set<string>();
  const lost = new Map<Entry, readonly CreateChange[]>();
  const ordered = firing.sort((a, b) => compareKeys(keyOf(a.schedule.object), keyOf(b.schedule.object)));
  for (const entry of ordered) {
    const creates = entry.decision.state === 'fire' ? entry.decision.creates : [];
    const second = creates.filter(({ key }) => taken.has(keyId(key)));
    if (second.length > 0) lost.set(entry, second);
    for (const { key } of creates) taken.add(keyId(key));
  }
  if (lost.size === 0) return entries;
  return entries.map((entry) => {
    const creates = lost.get(entry);
    const { decision } = entry;
    return creates === undefined || decision.state !== 'fire'
      ? entry
      : { ...entry, decision: without(decision, creates) };
  });
}
