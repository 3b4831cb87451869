import { keyText } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { KINDS } from '#kinds/index.ts';
import { CRASH_WORLD } from '#test/properties/support/crash-worlds.ts';
import { CRASH_WORLDS as SNAPSHOT_WORLDS } from '#test/properties/support/snapshot/crash-worlds.ts';
import type { Tick } from '#test/properties/support/tick.ts';
import { withOwners } from './fault-matrix/with-owners.ts';

/** Schedules of every kind, each with much to write; the clock of both parts is the same. */
export const READ_WORLD: readonly KubeObject[] = [
  ...CRASH_WORLD,
  ...(SNAPSHOT_WORLDS['a fan-out that replaces runs with Jobs and trims history and retention'] ?? []),
].map(withOwners);

/** What each schedule had done, as `Kind namespace/name` → one line a change. */
export type Done = ReadonlyMap<string, readonly string[]>;

export function doneIn({ report }: Tick): Done {
  return new Map(
    [
      ...report.schedules.map(({ schedule: { key }, applied }) => [key, applied] as const),
      ...report.retention.map(({ owner: { key }, applied }) => [key, applied] as const),
    ].map(([key, applied]) => [
      keyText(key),
      // On a busy machine a write may come through only the second time.
      applied.map(
        ({ change, state }) =>
          `${change.verb} ${keyText(change.key)} ${state === 'unnecessary' ? 'done' : state}`,
      ),
    ]),
  );
}

/** What is started and what is taken away. */
function runsIn(lines: readonly string[] = []): readonly string[] {
  return lines.filter((line) => /^(create|delete) /.test(line));
}

type Dependence = 'none' | 'referent' | 'essential';

/** What a list means to a schedule of this kind. */
function dependence(scheduleKind: string, type: ResourceType): Dependence {
  const kind = KINDS.find(({ resource }) => resource.kind === scheduleKind);
  // A policy that says how many runs are kept is no schedule: its runs are those of schedules.
  if (kind === undefined) return 'referent';
  const id = typeId(type);
  if ([kind.resource, kind.run].some((one) => typeId(one) === id)) return 'essential';
  const others = [...kind.referents, ...(kind.workload === undefined ? [] : [kind.workload])];
  return others.some(({ resource }) => typeId(resource) === id) ? 'referent' : 'none';
}

function misdeedsOf(
  name: string,
  type: ResourceType,
  should: readonly string[],
  did: readonly string[],
): readonly string[] {
  switch (dependence(name.split(' ')[0] ?? '', type)) {
    case 'none':
      return should.join() === did.join() ? [] : [`${name} did ${did.join(', ')}, not ${should.join(', ')}`];
    case 'referent':
      return runsIn(did)
        .filter((line) => !should.includes(line))
        .map((line) => `${name}: ${line}`);
    case 'essential':
      return runsIn(did).map((line) => `${name}: ${line}`);
  }
}

/** Where a tick that could not read a list did what it should not, or left what it should have done. */
export function misdeeds(type: ResourceType, wanted: Done, found: Done): readonly string[] {
  const names = new Set([...wanted.keys(), ...found.keys()]);
  return [...names].flatMap((name) => misdeedsOf(name, type, wanted.get(name) ?? [], found.get(name) ?? []));
}
