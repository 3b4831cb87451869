import type { KubeObject } from '#core/object/object.ts';
import type { Write } from '#test/properties/support/faulty-store.ts';
import type { Authors, Scene } from './scene.ts';

/** One tick as it looked from outside. */
export interface TickRecord {
  readonly now: number;
  readonly authors: Authors;
  readonly before: readonly KubeObject[];
  readonly after: readonly KubeObject[];
  readonly writes: readonly Write[];
}

export function snapshotsIn(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter(({ kind }) => kind === 'Snapshot');
}

const NOBODY: ReadonlySet<string> = new Set();

const scenes = new WeakMap<TickRecord, Map<string, Scene>>();

/** @param claimed names that schedules before this one create in the same tick */
export function sceneOf(record: TickRecord, uid: string, claimed = NOBODY): Scene | undefined {
  const known = scenes.get(record) ?? new Map<string, Scene>();
  scenes.set(record, known);
  const scene = known.get(uid) ?? newScene(record, uid);
  if (scene === undefined) return undefined;
  known.set(uid, scene);
  return claimed.size === 0 ? scene : { ...scene, claimed };
}

function newScene({ before, authors, now }: TickRecord, uid: string): Scene | undefined {
  const timetable = authors.timetables.get(uid);
  const schedule = before.find(({ metadata }) => metadata.uid === uid);
  if (timetable === undefined || schedule === undefined) return undefined;
  return { uid, timetable, authors, schedule, runs: snapshotsIn(before), claimed: NOBODY, now };
}
