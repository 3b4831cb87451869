import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { controllerUid, isEnded } from './cluster.ts';
import {
  activeOf,
  anchorOf,
  expect,
  isLate,
  isResumed,
  isTerminating,
  latestSlot,
  member,
  type Scene,
  secondsOf,
  slotOf,
} from './expected.ts';
import type { Write } from './faulty-store.ts';
import { RUN_KINDS, runNameOf } from './run-object.ts';
import type { Timetable } from './timetable.ts';

/** What the ledger remembers over the whole history. */
export interface Ledger {
  /** `uid/slot` of a schedule to the uids of the runs that were ever made for it. */
  readonly made: Map<string, string[]>;
  /** Runs that a tick deleted because they were finished. */
  readonly trimmed: Set<string>;
}

export function newLedger(): Ledger {
  return { made: new Map(), trimmed: new Set() };
}

/** One tick as it looked from outside. */
export interface TickRecord {
  readonly now: number;
  readonly timetables: ReadonlyMap<string, Timetable>;
  readonly before: readonly KubeObject[];
  readonly after: readonly KubeObject[];
  readonly writes: readonly Write[];
}

class Breach extends Error {}

export function demand(condition: boolean, what: string): void {
  if (!condition) throw new Breach(what);
}

export function isRunKind(kind: string): boolean {
  return kind === 'Job' || kind === 'EtcdDefrag' || kind === 'BackupJob';
}

export function scheduleOf(record: TickRecord, uid: string): KubeObject | undefined {
  return record.before.find(({ metadata }) => metadata.uid === uid);
}

export function sceneOf(record: TickRecord, uid: string, timetable: Timetable, schedule: KubeObject): Scene {
  const runKind = RUN_KINDS[timetable.kind];
  const near = record.before.filter(
    ({ kind, metadata }) => kind === runKind && metadata.namespace === timetable.namespace,
  );
  const runs = near.filter((run) => controllerUid(run) === uid);
  const strangers = new Set(near.filter((run) => !runs.includes(run)).map(({ metadata }) => metadata.name));
  return { timetable, schedule, runs, strangers, now: record.now };
}

/** A run to be replaced that was deleted, was not there, or had ended by itself. */
function isOutOfTheWay({ verb, result, live, uid }: Write): boolean {
  if (verb !== 'delete') return false;
  return result === 'done' || live === undefined || live.metadata.uid !== uid || isEnded(live);
}

function checkCreate(record: TickRecord, ledger: Ledger, write: Write, earlier: readonly Write[]): void {
  const { object } = write;
  if (object === undefined || !isRunKind(write.key.kind)) return;
  const uid = controllerUid(object) ?? '';
  const timetable = record.timetables.get(uid);
  const schedule = scheduleOf(record, uid);
  const slot = slotOf(object);
  if (timetable === undefined || schedule === undefined || slot === undefined)
    throw new Breach(`${write.key.name} was created for nobody`);
  const { now } = record;
  demand(slot <= now, `${write.key.name} is for a slot after now`);
  demand(slot > anchorOf(schedule), `${write.key.name} is for a slot that was settled`);
  const scene = sceneOf(record, uid, timetable, schedule);
  demand(slot === latestSlot(scene), `${write.key.name} is not for the latest real slot`);
  demand(!isLate(timetable, slot, now), `${write.key.name} is beyond its deadline`);
  demand(!timetable.suspend && !isResumed(timetable, schedule), `${write.key.name} is for a slot of a pause`);
  const others = activeOf(scene.runs).filter((run) => slotOf(run) !== slot);
  if (timetable.concurrency === 'Forbid')
    demand(others.length === 0, `${write.key.name} is beside another run`);
  if (timetable.concurrency === 'Replace') {
    const gone = earlier.filter(isOutOfTheWay).map((one) => keyId(one.key));
    const left = others.filter((run) => !isTerminating(run) && !gone.includes(keyId(keyOf(run))));
    demand(left.length === 0, `${write.key.name} did not replace ${left[0]?.metadata.name}`);
  }
  const made = ledger.made.get(`${uid}/${slot}`) ?? [];
  const living = scene.runs.filter((run) => made.includes(run.metadata.uid ?? ''));
  demand(living.length === 0, `${write.key.name} exists already`);
  demand(
    !made.some((run) => ledger.trimmed.has(run)),
    `${write.key.name} was started again after we deleted it`,
  );
  const created = record.after.find((one) => keyId(keyOf(one)) === keyId(write.key))?.metadata.uid;
  ledger.made.set(`${uid}/${slot}`, [...made, created ?? 'gone']);
}

export function surplusOf(timetable: Timetable, runs: readonly KubeObject[]): number {
  const ended = runs.filter((run) => isEnded(run) && !isTerminating(run));
  const failed = ended.filter((run) => JSON.stringify(run.status).includes('"Failed"')).length;
  const over = (count: number, limit: number | undefined): number =>
    limit === undefined ? 0 : Math.max(0, count - limit);
  if (timetable.kind !== 'CronJob') return over(ended.length, timetable.limit);
  return over(ended.length - failed, timetable.limit ?? 3) + over(failed, timetable.failedLimit ?? 1);
}

export function endOf(run: KubeObject): number | undefined {
  const conditions = member(run.status, 'conditions');
  const ended = Array.isArray(conditions) ? conditions.map((one) => member(one, 'lastTransitionTime')) : [];
  return secondsOf(member(run.status, 'completedAt') ?? ended[0]);
}

export function outlived(run: KubeObject, now: number): boolean {
  const ttl = member(run.spec, 'ttlSecondsAfterFinished');
  const end = isEnded(run) ? endOf(run) : undefined;
  return typeof ttl === 'number' && end !== undefined && end + ttl <= now;
}

function checkDelete(record: TickRecord, ledger: Ledger, write: Write): void {
  const run = record.before.find(({ metadata }) => metadata.uid === write.uid);
  if (run === undefined) throw new Breach(`${write.key.name} was deleted unseen`);
  demand(isRunKind(run.kind), `${write.key.kind} ${write.key.name} was deleted`);
  const uid = controllerUid(run) ?? '';
  const timetable = record.timetables.get(uid);
  const schedule = scheduleOf(record, uid);
  if (timetable === undefined || schedule === undefined)
    throw new Breach(`${write.key.name} of somebody else was deleted`);
  const scene = sceneOf(record, uid, timetable, schedule);
  if (!isEnded(run)) {
    const isOdd = member(write.live?.status, 'phase') === 'Verifying';
    demand(write.live === undefined || !isEnded(write.live), `${write.key.name} ended and was deleted`);
    demand(!isOdd, `${write.key.name} is in an unknown phase and was deleted`);
    demand(
      timetable.concurrency === 'Replace' && expect(scene).creates,
      `${write.key.name} was unfinished and was deleted`,
    );
    return;
  }
  ledger.trimmed.add(write.uid ?? '');
  demand(
    outlived(run, record.now) || surplusOf(timetable, scene.runs) > 0,
    `${write.key.name} was deleted without need`,
  );
}

function checkApply(record: TickRecord, write: Write): void {
  const schedule = scheduleOf(record, write.uid ?? '');
  if (schedule === undefined) throw new Breach(`the status of ${write.key.name} was written unseen`);
  for (const field of ['lastScheduleTime', 'lastSuccessfulTime']) {
    const old = secondsOf(member(schedule.status, field));
    const next = secondsOf(member(write.fields, field));
    demand(
      old === undefined || (next !== undefined && next >= old),
      `${field} of ${write.key.name} went back`,
    );
  }
}

/** An anchor after now is the work of a clock that was ahead: only a run that exists already may carry it on. */
function checkAnchor(record: TickRecord, write: Write): void {
  const next = secondsOf(member(write.fields, 'lastScheduleTime'));
  if (next === undefined || next <= record.now) return;
  const old = secondsOf(member(scheduleOf(record, write.uid ?? '')?.status, 'lastScheduleTime'));
  const slots = record.before.filter((run) => controllerUid(run) === write.uid).map(slotOf);
  demand(next === old || slots.includes(next), `${write.key.name}: an anchor after now`);
}

/** An anchor moves for a run that is there, or past a slot that the kind consumes without one. */
function checkMove(record: TickRecord, write: Write): void {
  const uid = write.uid ?? '';
  const next = secondsOf(member(write.fields, 'lastScheduleTime'));
  const schedule = scheduleOf(record, uid);
  const timetable = record.timetables.get(uid);
  if (next === undefined || schedule === undefined || timetable === undefined) return;
  if (next === secondsOf(member(write.live?.status, 'lastScheduleTime'))) return;
  const name = runNameOf(timetable, next);
  const runs = [...record.before, ...record.after].filter((run) => controllerUid(run) === uid);
  const made = record.writes.some(
    ({ verb, key, result }) => verb === 'create' && key.name === name && result === 'done',
  );
  const wanted = expect(sceneOf(record, uid, timetable, schedule));
  const consumed = !wanted.creates && wanted.anchor === next;
  demand(
    made || consumed || runs.some(({ metadata }) => metadata.name === name),
    `${write.key.name}: the anchor moved without a run`,
  );
}

/** What holds for every write, whatever went wrong around it. */
export function checkWrites(record: TickRecord, ledger: Ledger): void {
  for (const [index, write] of record.writes.entries()) {
    if (write.result !== 'done') continue;
    if (write.verb === 'create') checkCreate(record, ledger, write, record.writes.slice(0, index));
    if (write.verb === 'delete') checkDelete(record, ledger, write);
    if (write.verb !== 'apply') continue;
    checkApply(record, write);
    checkAnchor(record, write);
    checkMove(record, write);
  }
}

function slotAndSuccess(run: KubeObject): readonly (readonly [field: string, at: number | undefined])[] {
  const success =
    member(run.status, 'completionTime') ??
    (member(run.status, 'phase') === 'Complete' ? member(run.status, 'completedAt') : undefined);
  return [
    ['lastScheduleTime', slotOf(run)],
    ['lastSuccessfulTime', secondsOf(success)],
  ];
}

/** What a run proves stands in the status before the run is deleted. */
export function checkProofs(record: TickRecord): void {
  for (const { verb, result, uid, key } of record.writes) {
    const run =
      verb === 'delete' && result === 'done'
        ? record.before.find(({ metadata }) => metadata.uid === uid)
        : undefined;
    if (run === undefined || !isEnded(run)) continue;
    const owner = controllerUid(run);
    const status = record.after.find(({ metadata }) => metadata.uid === owner)?.status;
    if (status === undefined) continue;
    for (const [field, at] of slotAndSuccess(run)) {
      const stored = secondsOf(member(status, field));
      demand(
        at === undefined || (stored !== undefined && stored >= at),
        `${key.name} went before its ${field} was kept`,
      );
    }
  }
}
