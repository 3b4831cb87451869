import { canonicalJson } from '#core/object/canonical.ts';
import { keyText } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import { applyChangeSet } from '#store/apply.ts';
import { Crash, type MemoryStore } from '#test/fakes/memory-store.ts';

/** Opens the same store again, and decides about what it holds. */
export interface Retry {
  readonly open: () => MemoryStore;
  readonly decide: (store: MemoryStore) => Promise<Reconciliation>;
}

const OTHER_EVERY_TIME = new Set(['uid', 'resourceVersion', 'creationTimestamp']);

/** What has to be the same whenever a tick died; an event that nobody told is lost. */
function picture(objects: readonly KubeObject[]): string {
  const kept = objects.filter((object) => object.kind !== EVENT.kind);
  const plain: unknown = JSON.parse(JSON.stringify(kept), (key, value) =>
    OTHER_EVERY_TIME.has(key) ? undefined : value,
  );
  return canonicalJson(plain, 1);
}

async function tick(store: MemoryStore, decide: Retry['decide']): Promise<void> {
  try {
    await applyChangeSet(store, await decide(store));
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
}

/**
 * Lets a tick die after each of its writes in turn; the tick that follows has to reach what an undisturbed one does
 * (design.md 3.5).
 */
export async function crashSweep({ open, decide }: Retry): Promise<string[]> {
  const undisturbed = open();
  await tick(undisturbed, decide);
  const wanted = picture(undisturbed.objects());
  const broken: string[] = [];
  for (const [index, write] of undisturbed.writes().entries()) {
    const store = open();
    store.crashAfterWrite(index + 1);
    await tick(store, decide);
    await tick(store, decide);
    if (picture(store.objects()) !== wanted)
      broken.push(`a crash after ${write.verb} ${keyText(write.key)} does not heal`);
  }
  return broken;
}
