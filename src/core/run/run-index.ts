import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';

/** The runs of one kind, read once and found by who controls them or by name. */
export interface RunIndex {
  readonly controlledBy: (uid: string) => readonly KubeObject[];
  readonly named: (namespace: string, name: string) => KubeObject | undefined;
  /** Why the runs of a namespace are not all known; undefined where they are. */
  readonly incomplete: (namespace: string) => string | undefined;
}

const NONE: readonly KubeObject[] = [];

/** Linear in the number of runs, whatever the number of schedules. */
export function indexRuns(
  sources: readonly SourcedObject[],
  incomplete?: ReadonlyMap<string, string>,
): RunIndex {
  const byController = new Map<string, KubeObject[]>();
  const byName = new Map<string, KubeObject>();
  for (const { object } of sources) {
    byName.set(`${object.metadata.namespace ?? ''}/${object.metadata.name}`, object);
    const uid = controllerOf(object)?.uid;
    if (uid === undefined) continue;
    const siblings = byController.get(uid);
    if (siblings === undefined) byController.set(uid, [object]);
    else siblings.push(object);
  }
  return {
    controlledBy: (uid) => byController.get(uid) ?? NONE,
    named: (namespace, name) => byName.get(`${namespace}/${name}`),
    incomplete: (namespace) => incomplete?.get(namespace),
  };
}
