import { member } from '#test/properties/support/expected.ts';
import type { Timetable } from './objects.ts';
import type { When } from './owing.ts';
import { type Authors, type Scene, targetsOf, usableRecipe } from './scene.ts';

const SECONDS: Readonly<Record<string, number>> = {
  '0': 0,
  '40': 40,
  '3m': 180,
  '20m': 1200,
  '1h': 3600,
  '3h': 10_800,
};

function windowOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : SECONDS[text];
}

interface Inherited {
  readonly zone: string;
  readonly window: number;
}

/** snapshot-schedule.md 2.8; undefined where a policy or a repository is not there. */
function inherited(timetable: Timetable, authors: Authors): Inherited | undefined {
  if (authors.unread === 'SnapshotPolicy') return undefined;
  const zones = new Set<string>();
  const windows = new Set<number | undefined>();
  for (const target of targetsOf(timetable, authors)) {
    const recipe = usableRecipe(target, authors);
    if (recipe === undefined) return undefined;
    // The one that a schedule names keeps its zone while it is suspended.
    if (recipe.suspend && !('policy' in timetable.aim)) continue;
    for (const repository of recipe.repositories) {
      const defaults = authors.unread === 'Repository' ? undefined : authors.defaults.get(repository);
      if (defaults === undefined) return undefined;
      zones.add(defaults.zone ?? 'UTC');
      windows.add(windowOf(defaults.jitter));
    }
  }
  const [zone = 'UTC'] = zones;
  const [window] = windows;
  return { zone: zones.size > 1 ? 'UTC' : zone, window: windows.size > 1 ? 0 : (window ?? 0) };
}

/** What a pin recorded; an absent value counts as unchanged (2.4). */
interface Pinned {
  readonly cron: unknown;
  readonly zone: unknown;
  readonly jitter: unknown;
}

function pinnedOf({ schedule }: Scene): Pinned {
  const pin = member(schedule.status, 'nextSchedule');
  return { cron: member(pin, 'cron'), zone: member(pin, 'timezone'), jitter: member(pin, 'jitter') };
}

/** Zone and window as they count now. Inherited halves that nobody can look up stay as they were recorded. */
export function whenOf(scene: Scene): When {
  const { timetable, authors, uid } = scene;
  const found = inherited(timetable, authors);
  const { zone, jitter } = pinnedOf(scene);
  const keptZone = typeof zone === 'string' ? zone : 'UTC';
  const keptWindow = typeof jitter === 'string' ? (windowOf(jitter) ?? 0) : 0;
  return {
    expression: timetable.cron,
    zone: timetable.zone ?? found?.zone ?? keptZone,
    seed: uid,
    window: windowOf(timetable.jitter) ?? found?.window ?? keptWindow,
  };
}

/** Whether a recorded pin no longer holds (2.4). */
export function isStale(scene: Scene, when: When): boolean {
  const { cron, zone, jitter } = pinnedOf(scene);
  if (cron !== undefined && cron !== when.expression) return true;
  if (zone !== undefined && zone !== when.zone) return true;
  return typeof jitter === 'string' && windowOf(jitter) !== when.window;
}
