import type { ApplyReport } from '#core/change/applied.ts';
import type { ChangeSet } from '#core/change/change-set.ts';
import type { Verdict } from '#core/change/verdict.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { member } from '#test/properties/support/expected.ts';
import { demand } from '#test/properties/support/ledger.ts';
import { type Expected, expect } from './expected.ts';
import { type Ledger, tallyOf } from './ledger.ts';
import { sceneOf, snapshotsIn, type TickRecord } from './record.ts';
import { isTerminating, isUnfinished, ownerOf, ownRuns, recordedAt, type Scene, slotOf } from './scene.ts';
import { type Judged, judge, settle } from './tally.ts';
import { failedRuns, outdated } from './trim.ts';

function verdictOf(changeSet: ChangeSet, report: ApplyReport, id: string): Verdict | undefined {
  const applied = report.schedules.find(({ schedule }) => keyId(schedule.key) === id);
  return applied?.verdict ?? changeSet.schedules.find(({ key }) => keyId(key) === id)?.verdict;
}

function same(what: string, is: unknown, wanted: unknown): void {
  demand(
    JSON.stringify(is) === JSON.stringify(wanted),
    `${what}: ${JSON.stringify(is)} where ${JSON.stringify(wanted)} is right`,
  );
}

function conditionOf(schedule: KubeObject | undefined, type: string): string {
  const conditions = member(schedule?.status, 'conditions');
  const found = Array.isArray(conditions)
    ? conditions.find((one: Json) => member(one, 'type') === type)
    : undefined;
  return `${String(member(found, 'status'))} ${String(member(found, 'reason'))}`;
}

/** Both polarities of every hold, and Ready (5.1). */
function checkConditions(
  told: string,
  after: KubeObject | undefined,
  { hold }: Expected,
  scene: Scene,
): void {
  const blocked = hold === 'BlockedOnUnreadableRun';
  same(
    `${told} ScheduleRunnable`,
    conditionOf(after, 'ScheduleRunnable'),
    blocked ? 'False BlockedOnUnreadableRun' : 'True Runnable',
  );
  same(
    `${told} HeldByOtherRun`,
    conditionOf(after, 'HeldByOtherRun'),
    hold === 'OtherRunActive' ? 'True OtherRunActive' : 'False NoOtherRunActive',
  );
  same(
    `${told} ReplacementHeld`,
    conditionOf(after, 'ReplacementHeld'),
    hold === 'WaitingForRepositorySlot' ? 'True WaitingForRepositorySlot' : 'False ReplacementNotHeld',
  );
  const ready = conditionOf(after, 'Ready');
  if (ready === 'False MissingDependency') return;
  same(`${told} Ready`, ready, scene.timetable.suspend ? 'True Suspended' : 'True Scheduled');
}

function checkScore(told: string, after: KubeObject | undefined, judged: Judged): void {
  same(`${told} failures`, member(after?.status, 'consecutiveFailures'), judged.failures);
  same(`${told} success`, recordedAt(after, 'lastSuccessfulSchedule'), judged.success);
}

function checkWritten(told: string, record: TickRecord, uid: string, wanted: Expected): void {
  const done = record.writes.filter(({ result }) => result === 'done');
  const created = done.flatMap(({ verb, object }) =>
    verb === 'create' && object?.kind === 'Snapshot' && ownerOf(object) === uid ? [object.metadata.name] : [],
  );
  same(`${told} creates`, created, wanted.creates);
  const there = new Set(snapshotsIn(record.after).map(({ metadata }) => metadata.name));
  demand(
    created.every((name) => there.has(name)),
    `${told}: a run that was created is not there`,
  );
  const victims = done.flatMap(({ verb, annotations, live }) =>
    verb === 'annotate' &&
    Object.values(annotations ?? {}).includes('replaced-run') &&
    ownerOf(live ?? NOBODY) === uid
      ? [live?.metadata.name]
      : [],
  );
  same(`${told} victims`, victims, wanted.victims);
}

const NOBODY: KubeObject = { apiVersion: '', kind: '', metadata: { name: '' } };

/** Failed runs that nobody has counted yet are spared, and so are those of a slot that is started in part. */
function checkHistoryLimit(
  told: string,
  record: TickRecord,
  scene: Scene,
  { success, newest, open }: Judged & Pick<Expected, 'open'>,
): void {
  const left = failedRuns(scene, snapshotsIn(record.after));
  const settledTo = Math.max(success ?? Number.NEGATIVE_INFINITY, newest);
  const spared = left.map(slotOf).filter((slot) => slot === open || (slot ?? 0) > settledTo);
  demand(
    left.length - spared.length <= (scene.timetable.failedLimit ?? 10),
    `${told}: more failed runs than its limit`,
  );
}

/** What is beyond the retention of its policy goes, unless its slot is still owed or has runs at work. */
function checkRetention(record: TickRecord, owed: ReadonlySet<string>): void {
  const stayed = new Map(record.after.map((one) => [one.metadata.uid, one]));
  for (const run of outdated(record)) {
    const kept = stayed.get(run.metadata.uid);
    const isSpared = owed.has(`${ownerOf(run)} ${slotOf(run)}`);
    demand(
      kept === undefined || isTerminating(kept) || isSpared,
      `${run.metadata.name} is beyond its retention and stayed`,
    );
  }
}

/** What an undisturbed tick owes every schedule. */
export function checkCleanTick(
  record: TickRecord,
  ledger: Ledger,
  changeSet: ChangeSet,
  report: ApplyReport,
): void {
  demand(!report.partial, 'an undisturbed tick was partly applied');
  const claimed = new Set<string>();
  const owed = new Set<string>();
  const byName = [...record.authors.timetables].sort(([, a], [, b]) => (a.name < b.name ? -1 : 1));
  for (const [uid, timetable] of byName) {
    const scene = sceneOf(record, uid, claimed);
    if (scene === undefined) continue;
    const wanted = expect(scene);
    for (const name of wanted.creates) claimed.add(name);
    const told = timetable.name;
    const verdict = verdictOf(changeSet, report, keyId(keyOf(scene.schedule)));
    const after = record.after.find(({ metadata }) => metadata.uid === uid);
    same(`${told} verdict`, verdict?.code, wanted.verdict);
    same(`${told} slot`, verdict?.slot, wanted.slot);
    checkWritten(told, record, uid, wanted);
    same(`${told} pin`, recordedAt(after, 'nextSchedule'), wanted.pin);
    same(`${told} last`, recordedAt(after, 'lastSchedule'), wanted.last);
    const tally = tallyOf(ledger, uid);
    // What was cancelled will have no result.
    const runs = ownRuns(scene).filter(({ metadata }) => !wanted.victims.includes(metadata.name));
    // A slot is open as long as runs are created for it.
    const open = wanted.creates.length > 0 ? wanted.slot : wanted.open;
    const judged = judge(tally, runs, open);
    checkScore(told, after, judged);
    settle(tally, judged);
    checkConditions(told, after, wanted, scene);
    checkHistoryLimit(told, record, scene, { ...judged, open });
    if (open !== undefined) owed.add(`${uid} ${open}`);
    for (const run of runs) if (isUnfinished(run) && !isTerminating(run)) owed.add(`${uid} ${slotOf(run)}`);
  }
  checkRetention(record, owed);
}

function tells(schedule: KubeObject | undefined, { success, failures }: Judged): boolean {
  const recorded = member(schedule?.status, 'consecutiveFailures') ?? 0;
  return recorded === failures && recordedAt(schedule, 'lastSuccessfulSchedule') === success;
}

/** After a tick that went wrong the status tells what it told before, or all that the tick could know. */
export function checkDisturbedScores(record: TickRecord, ledger: Ledger): void {
  for (const uid of record.authors.timetables.keys()) {
    const scene = sceneOf(record, uid);
    const after = record.after.find(({ metadata }) => metadata.uid === uid);
    if (scene === undefined || after === undefined) continue;
    const tally = tallyOf(ledger, uid);
    const due = expect(scene);
    const left = new Set(
      record.after.filter((run) => !isTerminating(run)).map(({ metadata }) => metadata.uid),
    );
    const runs = ownRuns(scene);
    const uncancelled = runs.filter((run) => !isUnfinished(run) || left.has(run.metadata.uid));
    const judgements = [due.open, due.slot, undefined].flatMap((open) =>
      [runs, uncancelled].map((some) => judge(tally, some, open)),
    );
    const right = judgements.find((judged) => tells(after, judged));
    if (right !== undefined) settle(tally, right);
    else
      demand(
        tells(after, { ...tally, failures: tally.counted.length }),
        `${scene.timetable.name}: a wrong score`,
      );
  }
}
