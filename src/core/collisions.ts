import type { CreateChange } from '#core/change/change.ts';
import type { Decision } from '#core/kind.ts';
import { compareKeys, keyId, keyOf } from '#core/object/key.ts';
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
