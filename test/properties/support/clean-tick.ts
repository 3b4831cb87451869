import type { ApplyReport } from '#core/change/applied.ts';
import type { ChangeSet } from '#core/change/change-set.ts';
import type { Verdict } from '#core/change/verdict.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { controllerUid, isEnded } from './cluster.ts';
import { expect, isTerminating, member, secondsOf } from './expected.ts';
import {
  demand,
  endOf,
  isRunKind,
  outlived,
  sceneOf,
  scheduleOf,
  surplusOf,
  type TickRecord,
} from './ledger.ts';

/** Strangers and their runs are as they were, byte for byte. */
export function checkStrangers(record: TickRecord): void {
  // The store never alters an object in place: the same object is the same bytes.
  const after = new Set(record.after);
  for (const object of record.before) {
    if (!isRunKind(object.kind) || record.timetables.has(controllerUid(object) ?? '')) continue;
    demand(after.has(object), `${object.metadata.name} was touched`);
  }
}

/** The history goes from its old end. */
function checkOldestFirst(record: TickRecord, runs: readonly KubeObject[], isPolicy: boolean): void {
  const deleted = new Set(record.writes.flatMap(({ verb, uid }) => (verb === 'delete' ? (uid ?? []) : [])));
  const age = (run: KubeObject): number =>
    (isPolicy ? endOf(run) : secondsOf(member(run.status, 'startTime'))) ?? Number.POSITIVE_INFINITY;
  const isFailed = (run: KubeObject): boolean => !isPolicy && JSON.stringify(run.status).includes('"Failed"');
  const ended = runs.filter((run) => isEnded(run) && !isTerminating(run));
  const isGone = (run: KubeObject): boolean => deleted.has(run.metadata.uid ?? '');
  for (const gone of ended.filter((run) => isGone(run) && !outlived(run, record.now))) {
    const older = ended.find(
      (run) => !isGone(run) && isFailed(run) === isFailed(gone) && age(run) < age(gone),
    );
    demand(older === undefined, `${gone.metadata.name} went before ${older?.metadata.name}`);
  }
}

function verdictOf(changeSet: ChangeSet, report: ApplyReport, id: string): Verdict | undefined {
  const applied = report.schedules.find(({ schedule }) => keyId(schedule.key) === id);
  return applied?.verdict ?? changeSet.schedules.find(({ key }) => keyId(key) === id)?.verdict;
}

/** What an undisturbed tick owes every schedule: its slot run, held or named, its anchor right, its history trimmed. */
export function checkCleanTick(
  record: TickRecord,
  changeSet: ChangeSet,
  report: ApplyReport,
  leftOut: ReadonlySet<string> = new Set(),
): void {
  demand(!report.partial, 'an undisturbed tick was partly applied');
  for (const [uid, timetable] of record.timetables) {
    const schedule = scheduleOf(record, uid);
    if (schedule === undefined) continue;
    const scene = sceneOf(record, uid, timetable, schedule);
    const wanted = expect(scene);
    const verdict = verdictOf(changeSet, report, keyId(keyOf(schedule)));
    const told = `${timetable.kind} ${timetable.namespace}/${timetable.name}`;
    demand(verdict?.code === wanted.verdict, `${told}: ${verdict?.code} where ${wanted.verdict} is right`);
    demand(verdict?.slot === wanted.slot, `${told}: slot ${verdict?.slot} where ${wanted.slot} is right`);
    const created = record.writes.filter(
      ({ object, result }) =>
        result === 'done' && object !== undefined && isRunKind(object.kind) && controllerUid(object) === uid,
    );
    demand(created.length === (wanted.creates ? 1 : 0), `${told}: ${created.length} runs created`);
    // What waits for a sweep is right where the runs are read.
    if (leftOut.has(uid)) continue;
    const after = record.after.find(({ metadata }) => metadata.uid === uid);
    const anchor = secondsOf(member(after?.status, 'lastScheduleTime'));
    const before = secondsOf(member(schedule.status, 'lastScheduleTime'));
    demand(
      anchor === (wanted.anchor ?? before),
      `${told}: anchor ${anchor} where ${wanted.anchor ?? before} is right`,
    );
    checkOldestFirst(record, scene.runs, timetable.kind === 'EtcdDefragPolicy');
    const left = record.after.filter((run) => isRunKind(run.kind) && controllerUid(run) === uid);
    demand(surplusOf(timetable, left) === 0, `${told}: more history than its limit`);
    demand(
      !left.some((run) => outlived(run, record.now) && !isTerminating(run)),
      `${told}: a run outlived its time`,
    );
  }
}
