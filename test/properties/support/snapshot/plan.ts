import { nameHash } from './fnv.ts';
import { NAMESPACE, type Recipe, timeText } from './objects.ts';
import { type Authors, type Scene, targetsOf, usableRecipe } from './scene.ts';

/** One Snapshot that a slot wants. */
export interface Wanted {
  readonly name: string;
  readonly policy: string;
  readonly claim: string | undefined;
  readonly repository: string | undefined;
}

export interface Plan {
  readonly runs: readonly Wanted[];
  /** Targets that cannot be used now: the slot stays owed for them. */
  readonly blocked: readonly string[];
}

/** snapshot-schedule.md 3.6, for names that need no cutting. */
function nameOf(base: string, claim: string | undefined, repository: string | undefined): string {
  if (claim === undefined && repository === undefined) return base;
  const hashed = [
    base,
    ...(claim === undefined ? [] : [`${NAMESPACE}/${claim}`]),
    ...(repository === undefined ? [] : [`Repository/${NAMESPACE}/${repository}`]),
  ];
  const parts = [
    base,
    ...(claim === undefined ? [] : ['pvc', claim]),
    ...(repository === undefined ? [] : ['repo', repository]),
    nameHash(hashed.join('\n')),
  ];
  return parts.join('-');
}

function claimsOf({ source }: Recipe, { claims }: Authors): readonly (string | undefined)[] {
  if ('claim' in source) return [undefined];
  return [...claims].flatMap(([name, disk]) => (disk === source.disk ? [name] : [])).sort();
}

/** Everything that a slot of a schedule wants started (3.4). */
export function planOf({ timetable, authors }: Pick<Scene, 'timetable' | 'authors'>, slot: number): Plan {
  const stamp = timeText(slot).replace(/\D/g, '');
  const runs: Wanted[] = [];
  const blocked: string[] = [];
  for (const policy of targetsOf(timetable, authors)) {
    const recipe = usableRecipe(policy, authors);
    if (recipe === undefined) blocked.push(policy);
    if (recipe === undefined || recipe.suspend) continue;
    const owner = 'policy' in timetable.aim ? timetable.name : `${timetable.name}-${policy}`;
    const repositories = recipe.repositories.length > 1 ? recipe.repositories : [undefined];
    for (const claim of claimsOf(recipe, authors)) {
      for (const repository of repositories) {
        const name = nameOf(`${owner}-${stamp}`, claim, repository);
        runs.push({ name, policy, claim, repository });
      }
    }
  }
  return { runs, blocked };
}
