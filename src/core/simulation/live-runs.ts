import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { RunIndex } from '#core/run/run-index.ts';

/** The runs of one type while they come and go. */
export interface LiveRuns {
  readonly index: RunIndex;
  readonly find: (id: string) => KubeObject | undefined;
  readonly all: () => Iterable<KubeObject>;
  readonly put: (run: KubeObject) => void;
  readonly remove: (run: KubeObject) => void;
}

const NONE: readonly KubeObject[] = [];

/**
 * What `indexRuns` finds, without reading all runs anew for each change.
 * @param keysOf of the kind: see `ScheduleKind.runKeys`
 */
export function liveRuns(
  keysOf: (run: KubeObject) => readonly string[],
  incomplete: RunIndex['incomplete'],
): LiveRuns {
  const byId = new Map<string, KubeObject>();
  const byName = new Map<string, KubeObject>();
  const byKey = new Map<string, Map<string, KubeObject>>();
  const nameOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;
  function remove(run: KubeObject): void {
    const id = keyId(keyOf(run));
    const known = byId.get(id);
    if (known === undefined) return;
    byId.delete(id);
    byName.delete(nameOf(known));
    for (const key of keysOf(known)) {
      const siblings = byKey.get(key);
      siblings?.delete(id);
      if (siblings?.size === 0) byKey.delete(key);
    }
  }
  function put(run: KubeObject): void {
    remove(run);
    const id = keyId(keyOf(run));
    byId.set(id, run);
    byName.set(nameOf(run), run);
    for (const key of keysOf(run)) {
      const siblings = byKey.get(key);
      if (siblings === undefined) byKey.set(key, new Map([[id, run]]));
      else siblings.set(id, run);
    }
  }
  const index: RunIndex = {
    underKey: (key) => {
      const runs = byKey.get(key);
      return runs === undefined ? NONE : [...runs.values()];
    },
    named: (namespace, name) => byName.get(`${namespace}/${name}`),
    incomplete,
  };
  return { index, find: (id) => byId.get(id), all: () => byId.values(), put, remove };
}
