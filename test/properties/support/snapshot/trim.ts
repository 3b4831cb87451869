import type { KubeObject } from '#core/object/object.ts';
import { member } from '#test/properties/support/expected.ts';
import { demand } from '#test/properties/support/ledger.ts';
import { GROUP } from './objects.ts';
import { sceneOf, snapshotsIn, type TickRecord } from './record.ts';
import { endOf, isOwn, isTerminating, ownerOf, phaseOf, policyOf, type Scene, slotOf } from './scene.ts';

function nameOf({ metadata }: KubeObject): string {
  return metadata.name;
}

/** Newest first; without an end, by the creation. */
function newestFirst(a: KubeObject, b: KubeObject): number {
  const age = (endOf(b) ?? 0) - (endOf(a) ?? 0);
  return age !== 0 ? age : nameOf(a) < nameOf(b) ? -1 : 1;
}

/** Failed runs of a schedule that left nothing behind (4.1), newest first. */
export function failedRuns({ uid, timetable }: Scene, runs: readonly KubeObject[]): readonly KubeObject[] {
  return runs
    .filter(
      (run) =>
        isOwn(run, uid, timetable) &&
        phaseOf(run) === 'failed' &&
        !isTerminating(run) &&
        member(run.status, 'snapshot') === undefined,
    )
    .sort((a, b) => (endOf(b) ?? 0) - (endOf(a) ?? 0) || (nameOf(a) < nameOf(b) ? 1 : -1));
}

/** Runs that a policy's retention may take (D30). */
function isCandidate(run: KubeObject): boolean {
  const origin = run.metadata.labels?.[`${GROUP}/origin`] ?? '';
  const pinned = member(run.spec, 'pin') === true;
  return phaseOf(run) === 'ok' && ['scheduled', 'manual'].includes(origin) && !pinned && !isTerminating(run);
}

function groupOf(run: KubeObject, only: string): string {
  const claim = member(member(member(member(run.spec, 'source'), 'target'), 'pvc'), 'name') ?? '';
  return `${policyOf(run)} ${String(member(member(run.spec, 'repository'), 'name') ?? only)} ${String(claim)}`;
}

/** What `keepLatest` no longer wants, per policy, repository and PVC. */
export function outdated(
  { authors, before }: TickRecord,
  runs: readonly KubeObject[] = before,
): readonly KubeObject[] {
  const groups = new Map<string, KubeObject[]>();
  for (const run of snapshotsIn(runs)) {
    const policy = policyOf(run) ?? '';
    const recipe = authors.recipes.get(policy);
    if (recipe?.keep === undefined || recipe.keep === 0 || authors.leaving.has(policy)) continue;
    if (!isCandidate(run)) continue;
    const group = `${recipe.keep} ${groupOf(run, recipe.repositories[0] ?? '')}`;
    groups.set(group, [...(groups.get(group) ?? []), run]);
  }
  return [...groups].flatMap(([group, members]) =>
    members.sort(newestFirst).slice(Number(group.split(' ')[0])),
  );
}

function checkHistory(record: TickRecord, live: KubeObject): void {
  const name = nameOf(live);
  const scene = sceneOf(record, ownerOf(live) ?? '');
  if (scene === undefined) throw new Error(`${name} of no schedule was taken for history`);
  demand(isOwn(live, scene.uid, scene.timetable), `${name} of somebody else was taken for history`);
  demand(phaseOf(live) === 'failed', `${name} was taken for history at phase ${phaseOf(live)}`);
  demand(member(live.status, 'snapshot') === undefined, `${name} has a snapshot and was taken for history`);
  const kept = failedRuns(scene, scene.runs).slice(0, scene.timetable.failedLimit ?? 10);
  demand(!kept.map(nameOf).includes(name), `${name} is within the history and was deleted`);
}

function checkRetention(record: TickRecord, live: KubeObject): void {
  const name = nameOf(live);
  demand(isCandidate(live), `${name} is nothing for a retention and was deleted`);
  demand(outdated(record).map(nameOf).includes(name), `${name} is within the retention and was deleted`);
}

/** Finished runs go only by the history of their schedule or the retention of their policy, each with its mark. */
export function checkTrim(record: TickRecord, live: KubeObject, mark: string | undefined): void {
  switch (mark) {
    case 'failed-history':
      checkHistory(record, live);
      break;
    case 'retention':
      checkRetention(record, live);
      break;
    default:
      throw new Error(`${nameOf(live)} was deleted with the mark ${mark} at slot ${slotOf(live)}`);
  }
}
