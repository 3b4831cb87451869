import type { KubeObject, SourcedObject } from '#core/object/object.ts';

/** The runs of one kind, read once and found by the keys of who looks for them, or by name. */
export interface RunIndex {
  readonly underKey: (key: string) => readonly KubeObject[];
  readonly named: (namespace: string, name: string) => KubeObject | undefined;
  /** Why the runs of a namespace are not all known; undefined where they are. */
  readonly incomplete: (namespace: string) => string | undefined;
}

const NONE: readonly KubeObject[] = [];

/**
 * Linear in the number of runs, whatever the number of schedules.
 * @param keysOf of the kind: see `ScheduleKind.runKeys`
 */
export function indexRuns(
  sources: readonly SourcedObject[],
  keysOf: (run: KubeObject) => readonly string[],
  incomplete: (namespace: string) => string | undefined = () => undefined,
): RunIndex {
  const byKey = new Map<string, KubeObject[]>();
  const byName = new Map<string, KubeObject>();
  for (const { object } of sources) {
    byName.set(`${object.metadata.namespace ?? ''}/${object.metadata.name}`, object);
    for (const key of keysOf(object)) {
      const siblings = byKey.get(key);
      if (siblings === undefined) byKey.set(key, [object]);
      else siblings.push(object);
    }
  }
  return {
    underKey: (key) => byKey.get(key) ?? NONE,
    named: (namespace, name) => byName.get(`${namespace}/${name}`),
    incomplete,
  };
}
