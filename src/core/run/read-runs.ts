import type { Schedule, ScheduleKind } from '#core/kind.ts';
import { compareText } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { listingOf, type Observed } from '#core/observed.ts';
import type { Run } from './phase.ts';
import { indexRuns, type RunIndex } from './run-index.ts';

const NO_RUNS: readonly Run[] = [];
const NO_OBJECTS: readonly KubeObject[] = [];

/** One that has several of the keys comes once. */
function objectsUnder(index: RunIndex, keys: readonly string[]): readonly KubeObject[] {
  const [first, ...others] = keys;
  if (first === undefined) return NO_OBJECTS;
  const objects = index.underKey(first);
  const more = others.flatMap((key) => index.underKey(key));
  return more.length === 0 ? objects : [...new Set([...objects, ...more])];
}

/** Sorted by name. */
export function readRuns(
  index: RunIndex,
  keys: readonly string[],
  read: (object: KubeObject) => Run | undefined,
): readonly Run[] {
  const objects = objectsUnder(index, keys);
  if (objects.length === 0) return NO_RUNS;
  return objects
    .flatMap((object) => read(object) ?? [])
    .sort((a, b) => compareText(a.object.metadata.name, b.object.metadata.name));
}

/** Runs that a person asked a schedule for and that are none of its own: asked of one schedule, never of all in turn. */
export function readHandMade(kind: ScheduleKind, schedule: Schedule, observed: Observed): readonly Run[] {
  const listing = listingOf(observed, kind.run);
  if (listing.state !== 'read') return NO_RUNS;
  return listing.objects.flatMap(({ object }) => schedule.readByHand(object) ?? []);
}

/** Runs of others that matter to a schedule, where nobody keeps an index. */
export function readOthers(kind: ScheduleKind, schedule: Schedule, observed: Observed): readonly Run[] {
  const keys = schedule.otherKeys();
  const listing = listingOf(observed, kind.run);
  if (keys.length === 0 || listing.state !== 'read') return NO_RUNS;
  return readRuns(indexRuns(listing.objects, kind.runKeys), keys, schedule.readOther);
}
