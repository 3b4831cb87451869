import type { KubeObject } from '#core/object/object.ts';
import { member, secondsOf } from '#test/properties/support/expected.ts';
import type { Write } from '#test/properties/support/faulty-store.ts';
import { demand } from '#test/properties/support/ledger.ts';
import { dueOf, gateOf } from './expected.ts';
import { PRUNED_BY, type Timetable } from './objects.ts';
import { baseAt, slotsIn, type When } from './owing.ts';
import { planOf } from './plan.ts';
import { sceneOf, type TickRecord } from './record.ts';
import { whenOf } from './resolve.ts';
import {
  isTerminating,
  isUnfinished,
  ownerOf,
  phaseOf,
  recordedAt,
  type Scene,
  slotOf,
  targetOf,
} from './scene.ts';
import { endOfRun, newTally, type Tally } from './tally.ts';
import { checkTrim } from './trim.ts';

/** One run that was created for a target and a slot. */
interface Made {
  readonly run: string;
  /** A status tells of its slot: nothing excuses a second one. */
  told: boolean;
}

/** What the ledger remembers over the whole history. */
export interface Ledger {
  /** By schedule, target and slot. */
  readonly made: Map<string, Made[]>;
  /** By schedule, target and base slot: the slot that it was run at. */
  readonly bases: Map<string, number>;
  /** By schedule. */
  readonly tallies: Map<string, Tally>;
  /** Runs that a tick deleted. */
  readonly deleted: Set<string>;
  /** By schedule: every timing that it ever had, and whether one of them had windows that overlap. */
  readonly timings: Map<string, { readonly seen: Set<string>; overlap: boolean }>;
}

export function newLedger(): Ledger {
  return {
    made: new Map(),
    bases: new Map(),
    tallies: new Map(),
    deleted: new Set(),
    timings: new Map(),
  };
}

export function tallyOf({ tallies }: Ledger, uid: string): Tally {
  const tally = tallies.get(uid) ?? newTally();
  tallies.set(uid, tally);
  return tally;
}

function sceneFor(record: TickRecord, uid: string, what: string): Scene {
  const scene = sceneOf(record, uid);
  if (scene === undefined) throw new Error(`${what} is for no schedule`);
  return scene;
}

function isLate({ deadline }: Timetable, slot: number, now: number): boolean {
  return deadline !== undefined && (deadline < 0 || now - slot > Math.max(deadline, 90));
}

function checkSlot(scene: Scene, slot: number, name: string): void {
  const { now, timetable, schedule } = scene;
  const due = dueOf(scene);
  demand(slot <= now, `${name} is for a slot after now`);
  demand(!timetable.suspend, `${name} was created while suspended`);
  demand(!due.repins, `${name} was created before a pin was written`);
  const pin = recordedAt(schedule, 'nextSchedule');
  const created = secondsOf(schedule.metadata.creationTimestamp);
  demand(
    due.first ? slot === created : pin !== undefined && slot >= pin,
    `${name} is for a slot before the pin`,
  );
  demand(slot === due.owed.at(-1), `${name} is not for the latest owed slot`);
  if (due.first) return;
  demand(!isLate(timetable, slot, now), `${name} is beyond its deadline`);
  const paused = JSON.stringify(schedule.status ?? {}).includes('"reason":"Suspended"');
  demand(!paused, `${name} is for a slot of a pause`);
}

/** A run to be replaced that was deleted, was not there, or had ended by itself. */
function isOutOfTheWay({ verb, result, live, uid }: Write): boolean {
  if (verb !== 'delete' && verb !== 'annotate') return false;
  if (live === undefined || live.metadata.uid !== uid || !isUnfinished(live) || isTerminating(live))
    return true;
  return verb === 'delete' && result === 'done';
}

function checkGate(scene: Scene, slot: number, write: Write, earlier: readonly Write[]): void {
  const { hold, victims } = gateOf(scene, slot, dueOf(scene).first);
  demand(hold === undefined, `${write.key.name} was created in spite of ${hold}`);
  const gone = new Set(earlier.filter(isOutOfTheWay).map(({ key }) => key.name));
  const left = victims.find((victim) => !gone.has(victim));
  demand(left === undefined, `${write.key.name} did not replace ${left}`);
}

/**
 * pub-006 alone excuses a second run: somebody else took the first one away before the status told of its slot, be it
 * that the status was lost, or that the slot was started in part and is still owed.
 */
function checkOnce(record: TickRecord, ledger: Ledger, run: KubeObject, id: string): void {
  const { name } = run.metadata;
  for (const made of ledger.made.get(id) ?? []) {
    demand(!ledger.deleted.has(made.run), `${name} was started again after we deleted it`);
    const lives = record.before.some(({ metadata }) => metadata.uid === made.run);
    demand(!lives, `${name} was started beside the run of its slot`);
    demand(!made.told, `${name} was started a second time`);
  }
}

function checkBase(scene: Scene, ledger: Ledger, run: KubeObject, slot: number): void {
  const when = whenOf(scene);
  const base = dueOf(scene).first ? slot : (baseAt(when, slot) ?? slot);
  const id = `${scene.uid}|${targetOf(run)}|${base}`;
  const before = ledger.bases.get(id);
  ledger.bases.set(id, slot);
  if (before === undefined || before === slot || isBlurred(ledger, scene.uid)) return;
  throw new Error(`${run.metadata.name} is for base slot ${base}, which ran at ${before}`);
}

function checkCreate(record: TickRecord, ledger: Ledger, write: Write, earlier: readonly Write[]): void {
  const { object, key } = write;
  if (object === undefined || key.kind === 'Event') return;
  demand(key.kind === 'Snapshot', `a ${key.kind} was created`);
  const slot = slotOf(object);
  const scene = sceneFor(record, ownerOf(object) ?? '', key.name);
  if (slot === undefined) throw new Error(`${key.name} carries no slot`);
  checkSlot(scene, slot, key.name);
  const wanted = planOf(scene, slot).runs.map(({ name }) => name);
  demand(wanted.includes(key.name), `${key.name} is wanted by no target`);
  checkGate(scene, slot, write, earlier);
  const id = `${scene.uid}|${targetOf(object)}|${slot}`;
  checkOnce(record, ledger, object, id);
  checkBase(scene, ledger, object, slot);
  const run = record.after.find(({ kind, metadata }) => kind === 'Snapshot' && metadata.name === key.name);
  ledger.made.set(id, [...(ledger.made.get(id) ?? []), { run: run?.metadata.uid ?? 'gone', told: false }]);
}

function checkJobDelete(record: TickRecord, { live, key }: Write): void {
  const controller = live?.metadata.ownerReferences?.find((reference) => reference.controller === true)?.uid;
  const run = record.before.find(({ metadata }) => metadata.uid === controller);
  if (run === undefined) throw new Error(`the Job ${key.name} of no Snapshot was deleted`);
  checkVictim(record, run, `the Job ${key.name}`);
}

/** Only an unfinished run of an earlier slot of the very schedule that replaces it. */
function checkVictim(record: TickRecord, run: KubeObject, what: string): void {
  const scene = sceneFor(record, ownerOf(run) ?? '', what);
  const slot = dueOf(scene).owed.at(-1);
  demand(slot !== undefined, `${what} was replaced by nothing`);
  const { victims, hold } = gateOf(scene, slot ?? 0, dueOf(scene).first);
  demand(hold === undefined, `${what} was replaced in spite of ${hold}`);
  demand(victims.includes(run.metadata.name), `${what} was replaced and is no victim`);
  demand((slotOf(run) ?? 0) < (slot ?? 0), `${what} is of the same or of a later slot`);
}

function checkDelete(record: TickRecord, ledger: Ledger, write: Write): void {
  const { key, live } = write;
  if (key.kind === 'Job') {
    checkJobDelete(record, write);
    return;
  }
  if (live === undefined || key.kind !== 'Snapshot') throw new Error(`${key.kind} ${key.name} was deleted`);
  const mark = live.metadata.annotations?.[PRUNED_BY];
  demand(!isTerminating(live), `${key.name} was deleted a second time`);
  if (mark === 'replaced-run') {
    demand(
      ['waiting', 'running'].includes(phaseOf(live)),
      `${key.name} was replaced at phase ${phaseOf(live)}`,
    );
    checkVictim(record, live, key.name);
  } else checkTrim(record, live, mark);
  ledger.deleted.add(live.metadata.uid ?? '');
  const slot = slotOf(live);
  const end = endOfRun(live);
  // A success beside a failure says nothing, whatever becomes of that one.
  const isFailed = record.before.some(
    (run) => ownerOf(run) === ownerOf(live) && slotOf(run) === slot && endOfRun(run) === 'failed',
  );
  if (slot !== undefined && end !== 'open' && !(isFailed && end === 'ok'))
    tallyOf(ledger, ownerOf(live) ?? '').trimmed.set(live.metadata.uid ?? '', { slot, end });
}

const OWN_FIELDS = [
  'observedGeneration',
  'lastSchedule',
  'nextSchedule',
  'lastSuccessfulSchedule',
  'lastFailedSchedule',
  'consecutiveFailures',
  'conditions',
];

function checkApply(record: TickRecord, { key, uid, fields }: Write): void {
  const { schedule } = sceneFor(record, uid ?? '', `the status of ${key.name}`);
  const foreign = Object.keys(fields ?? {}).filter((field) => !OWN_FIELDS.includes(field));
  demand(foreign.length === 0, `${key.name}: fields of somebody else were written: ${foreign.join(', ')}`);
  for (const field of ['lastSchedule', 'lastSuccessfulSchedule', 'lastFailedSchedule']) {
    const old = recordedAt(schedule, field);
    const next = secondsOf(member(member(fields, field), 'at'));
    demand(old === undefined || (next !== undefined && next >= old), `${field} of ${key.name} went back`);
  }
}

const MARKS: readonly unknown[] = ['replaced-run', 'failed-history', 'retention', null];

function checkAnnotate({ key, annotations, live }: Write): void {
  demand(key.kind === 'Snapshot', `${key.kind} ${key.name} was annotated`);
  const [[name, value] = [], ...more] = Object.entries(annotations ?? {});
  demand(name === PRUNED_BY && more.length === 0 && MARKS.includes(value), `${key.name} was given ${name}`);
  if (value === null && live !== undefined)
    demand(!isUnfinished(live) && !isTerminating(live), `${key.name} lost its mark at work`);
}

/** What holds for every write, whatever went wrong around it. */
export function checkWrites(record: TickRecord, ledger: Ledger): void {
  for (const [index, write] of record.writes.entries()) {
    if (write.result !== 'done') continue;
    if (write.verb === 'create') checkCreate(record, ledger, write, record.writes.slice(0, index));
    if (write.verb === 'delete') checkDelete(record, ledger, write);
    if (write.verb === 'apply') checkApply(record, write);
    if (write.verb === 'annotate') checkAnnotate(write);
  }
}

/**
 * Where windows overlap, a slot says nothing of the base slots around it. A status has no place for the base slot up to
 * which all is settled, so that another timing can bring one back: see the counterexamples.
 */
export function isBlurred({ timings }: Ledger, uid: string): boolean {
  const timing = timings.get(uid);
  return timing?.overlap === true && timing.seen.size > 1;
}

const HALF_A_DAY = 43_200;

const known = new Map<string, boolean>();

function overlaps(when: When, now: number): boolean {
  if (when.window === 0) return false;
  const day = Math.floor(now / HALF_A_DAY) * HALF_A_DAY;
  const id = `${day} ${JSON.stringify(when)}`;
  const old = known.get(id);
  if (old !== undefined) return old;
  const bases = slotsIn({ ...when, window: 0 }, day - HALF_A_DAY, day + 2 * HALF_A_DAY);
  const overlap = bases.some(({ base }, at) => at > 0 && base - (bases[at - 1]?.base ?? 0) < when.window);
  known.set(id, overlap);
  return overlap;
}

/** Under which timing each schedule is looked at in this tick. */
export function noteTimings(record: TickRecord, { timings }: Ledger): void {
  for (const uid of record.authors.timetables.keys()) {
    const scene = sceneOf(record, uid);
    if (scene === undefined) continue;
    const when = whenOf(scene);
    const timing = timings.get(uid) ?? { seen: new Set<string>(), overlap: false };
    if (!timing.overlap) timing.overlap = overlaps(when, record.now);
    timing.seen.add(JSON.stringify(when));
    timings.set(uid, timing);
  }
}

/** What the statuses tell after a tick. */
export function remember(record: TickRecord, ledger: Ledger): void {
  for (const [id, made] of ledger.made) {
    const [uid = '', , slot = ''] = id.split('|');
    const schedule = record.after.find(({ metadata }) => metadata.uid === uid);
    const last = recordedAt(schedule, 'lastSchedule') ?? Number.NEGATIVE_INFINITY;
    const pin = recordedAt(schedule, 'nextSchedule') ?? Number.NEGATIVE_INFINITY;
    if (Math.max(last, pin - 1) >= Number(slot)) for (const one of made) one.told = true;
  }
}
