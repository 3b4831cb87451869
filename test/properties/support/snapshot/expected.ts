import type { KubeObject } from '#core/object/object.ts';
import { secondsOf } from '#test/properties/support/expected.ts';
import { nextSlot, type Owing, owingBehind, owingFrom, type When } from './owing.ts';
import { type Plan, planOf } from './plan.ts';
import { isStale, whenOf } from './resolve.ts';
import {
  isMarked,
  isOwn,
  isParked,
  isTerminating,
  isUnfinished,
  ownerOf,
  ownRuns,
  phaseOf,
  policyOf,
  recordedAt,
  type Scene,
  slotOf,
  targetOf,
} from './scene.ts';

/** A slot seen late by nature is still on time (design.md 3.12). */
const GRACE = 90;

export type Hold = 'BlockedOnUnreadableRun' | 'OtherRunActive' | 'WaitingForRepositorySlot' | 'RunActive';

/** What one undisturbed tick must make of one schedule, by the pages and not by the code under test. */
export interface Expected {
  readonly verdict: string;
  readonly slot: number | undefined;
  /** Names of the Snapshots to be created. */
  readonly creates: readonly string[];
  readonly victims: readonly string[];
  /** `status.nextSchedule.at` and `status.lastSchedule.at` afterwards. */
  readonly pin: number | undefined;
  readonly last: number | undefined;
  readonly hold: Hold | undefined;
  /** The slot stays owed, with runs still to be created. */
  readonly open: number | undefined;
}

/** What a schedule owes, and where that begins. */
export interface Due extends Owing {
  readonly when: When;
  /** The first run of a schedule, at its creation (2.3). */
  readonly first: boolean;
  /** The pin is written anew, and nothing fires. */
  readonly repins: boolean;
  /** The newest slot behind the pin that a run of ours stands for, although its status was lost. */
  readonly proved: number | undefined;
}

function createdAt(scene: Scene): number {
  return secondsOf(scene.schedule.metadata.creationTimestamp) ?? Number.NaN;
}

/** A run that was made for this slot; one that is deleted before its end settles nothing (design.md 3.4). */
function provedFrom(scene: Scene, anchor: number): number | undefined {
  const slots = ownRuns(scene)
    .filter((run) => isMarked(run) && !(isTerminating(run) && isUnfinished(run)))
    .flatMap((run) => slotOf(run) ?? [])
    .filter((slot) => slot > anchor);
  return slots.length === 0 ? undefined : Math.max(...slots);
}

function isFirst({ timetable, schedule }: Scene): boolean {
  const untouched =
    recordedAt(schedule, 'nextSchedule') === undefined && recordedAt(schedule, 'lastSchedule') === undefined;
  return timetable.runOnCreate && !timetable.suspend && untouched;
}

const NEVER = Number.NEGATIVE_INFINITY;

/** Owed from a pin on, or behind the newest firing, or from the newest slot that was run without its status (design.md 3.4). */
function owedOf(when: When, pin: number, scene: Scene): Owing & Pick<Due, 'proved'> {
  const { now } = scene;
  const last = recordedAt(scene.schedule, 'lastSchedule') ?? NEVER;
  const proved = provedFrom(scene, Math.max(pin - 1, last));
  if (proved !== undefined) return { ...owingFrom(when, proved, false, now), proved };
  // A clock that was set back makes no slot due a second time.
  return { ...(last >= pin ? owingBehind(when, last, now) : owingFrom(when, pin, false, now)), proved };
}

const known = new WeakMap<Scene, Due>();

export function dueOf(scene: Scene): Due {
  const due = known.get(scene) ?? findDue(scene);
  known.set(scene, due);
  return due;
}

function findDue(scene: Scene): Due {
  const { now } = scene;
  const when = whenOf(scene);
  const created = createdAt(scene);
  if (isFirst(scene)) {
    const owing = owingFrom(when, created, true, now);
    const proved = provedFrom(scene, created - 1);
    const next = created > now ? created : nextSlot(when, now, now)?.at;
    return { ...owing, next, when, first: true, repins: false, proved };
  }
  const pin = recordedAt(scene.schedule, 'nextSchedule');
  if (pin === undefined || isStale(scene, when)) {
    const proved = provedFrom(scene, now);
    const settled = Math.max(now, recordedAt(scene.schedule, 'lastSchedule') ?? NEVER);
    const next = nextSlot(when, Math.max(settled, (proved ?? now) - 1), settled)?.at;
    return { owed: [], next, when, first: false, repins: true, proved };
  }
  if (pin > now)
    return { owed: [], next: pin, when, first: false, repins: false, proved: provedFrom(scene, pin - 1) };
  return { ...owedOf(when, pin, scene), when, first: false, repins: false };
}

function isLate({ timetable, now }: Scene, slot: number): boolean {
  const { deadline } = timetable;
  if (deadline === undefined) return false;
  return deadline < 0 || now - slot > Math.max(deadline, GRACE);
}

/** What exists of the runs that a slot wants. */
export interface Census {
  readonly plan: Plan;
  readonly missing: readonly string[];
  readonly existing: readonly string[];
  /** Stopped on its way: its name is not free yet. */
  readonly leaving: readonly string[];
  readonly taken: readonly string[];
}

function censusOf(scene: Scene, slot: number): Census {
  const plan = planOf(scene, slot);
  const byName = new Map(scene.runs.map((run) => [run.metadata.name, run]));
  const ours = ownRuns(scene).filter((run) => slotOf(run) === slot);
  const isOurs = (run: KubeObject): boolean => ownerOf(run) === scene.uid;
  const isLeaving = (run: KubeObject): boolean => isTerminating(run) && isUnfinished(run);
  // The run of a target stands for it, also under the name that it had before its schedule named its policies otherwise.
  const found = plan.runs.map((wanted) => {
    const target = [wanted.policy, wanted.claim ?? '', wanted.repository ?? ''].join('/');
    const run = ours.find((one) => targetOf(one) === target) ?? byName.get(wanted.name);
    return { name: wanted.name, run };
  });
  const pick = (test: (run: KubeObject) => boolean): readonly string[] =>
    found.flatMap(({ name, run }) => (run !== undefined && test(run) ? [name] : []));
  return {
    plan,
    missing: found.flatMap(({ name, run }) => (run === undefined ? [name] : [])),
    existing: pick((run) => isOurs(run) && !isLeaving(run)),
    leaving: pick((run) => isOurs(run) && isLeaving(run)),
    taken: pick((run) => !isOurs(run)),
  };
}

interface Gate {
  readonly hold: Hold | undefined;
  readonly victims: readonly string[];
}

const OPEN: Gate = { hold: undefined, victims: [] };

function isEarlier(run: KubeObject, slot: number): boolean {
  const at = slotOf(run) ?? secondsOf(run.metadata.creationTimestamp);
  return at !== undefined && at < slot;
}

/** The table of 3.2, with the precedence of D14. */
export function gateOf(scene: Scene, slot: number, first: boolean): Gate {
  const { timetable, runs, uid } = scene;
  const policy = timetable.concurrency ?? 'Forbid';
  if (policy === 'Allow') return OPEN;
  const targets = new Set(planTargets(scene));
  const others = runs.filter(
    (run) =>
      phaseOf(run) === 'running' &&
      !isTerminating(run) &&
      !isOwn(run, uid, timetable) &&
      targets.has(policyOf(run) ?? ''),
  );
  const own = first ? [] : ownRuns(scene).filter((run) => isUnfinished(run) && !isTerminating(run));
  const active = own.filter((run) => slotOf(run) !== slot && (policy === 'Forbid' || isEarlier(run, slot)));
  if (active.some((run) => phaseOf(run) === 'odd')) return { hold: 'BlockedOnUnreadableRun', victims: [] };
  if (others.length > 0) return { hold: 'OtherRunActive', victims: [] };
  if (policy === 'Forbid') return active.length > 0 ? { hold: 'RunActive', victims: [] } : OPEN;
  if (active.some(isParked)) return { hold: 'WaitingForRepositorySlot', victims: [] };
  return { hold: undefined, victims: active.map(({ metadata }) => metadata.name).sort() };
}

/** Suspended policies are left out. */
function planTargets({ timetable, authors }: Scene): readonly string[] {
  const { aim } = timetable;
  const names = 'policy' in aim ? [aim.policy] : [...authors.recipes.keys()];
  return names.filter((name) => {
    const recipe = authors.recipes.get(name);
    if ('tier' in aim && recipe?.tier !== aim.tier) return false;
    return authors.leaving.has(name) || recipe?.suspend !== true;
  });
}

function recordedSuspended({ schedule }: Scene): boolean {
  return JSON.stringify(schedule.status ?? {}).includes('"reason":"Suspended"');
}

type Fate = Pick<Expected, 'verdict'> & Partial<Expected>;

/** The fate of the latest owed slot, first match wins (2.5 and section 3). */
function fateOf(scene: Scene, due: Due, slot: number, kept: number | undefined): Fate {
  const census = censusOf(scene, slot);
  const { missing, existing, leaving, taken, plan } = census;
  const { next, first } = due;
  const unmet = taken.length + leaving.length + plan.blocked.length;
  const settled = { pin: next, last: slot };
  if (missing.length + unmet === 0 && existing.length > 0) return { verdict: 'fired', ...settled };
  if (!first && recordedSuspended(scene)) return { verdict: 'suspended', pin: next };
  if (!first && isLate(scene, slot)) return { verdict: 'expired', pin: next };
  const waits = { pin: kept, open: slot };
  if (missing.length === 0 && leaving.length > 0) return { verdict: 'held', ...waits };
  if (missing.length === 0 && taken.length > 0) return { verdict: 'conflict', ...waits };
  const { hold, victims } = gateOf(scene, slot, first);
  if (hold !== undefined) return { verdict: 'held', hold, ...waits };
  if (missing.length === 0)
    return unmet > 0 ? { verdict: 'held', ...waits } : { verdict: 'empty', ...settled };
  return collided(scene, { ...census, victims }, unmet > 0 ? waits : settled, waits);
}

/** A slot that is started in part is not over: its verdict is that of what it still owes. */
function collided(
  { claimed }: Scene,
  { missing, taken, leaving, plan, victims }: Census & Pick<Gate, 'victims'>,
  settled: Partial<Expected>,
  waits: Partial<Expected>,
): Fate {
  // Two schedules want one name: the first by name has it.
  const creates = missing.filter((name) => !claimed.has(name));
  if (creates.length === 0) return { verdict: 'conflict', ...waits };
  const isTaken = taken.length + missing.length - creates.length > 0;
  const isHeld = plan.blocked.length + leaving.length > 0;
  const verdict = isTaken ? 'conflict' : isHeld ? 'held' : 'fired';
  return { verdict, creates, victims, ...(isTaken ? waits : settled) };
}

/** D28: a pin stays while its slot waits, unless it expires. */
function keptPin(scene: Scene, { owed, first, next }: Due): number | undefined {
  const pin = recordedAt(scene.schedule, 'nextSchedule');
  if (first || owed[0] === undefined || !isLate(scene, owed[0])) return pin;
  return owed.find((at) => !isLate(scene, at)) ?? next;
}

export function expect(scene: Scene): Expected {
  const due = dueOf(scene);
  const { schedule, timetable } = scene;
  const pin = recordedAt(schedule, 'nextSchedule');
  const recorded = recordedAt(schedule, 'lastSchedule');
  const slot = due.owed.at(-1);
  const fate = ((): Fate => {
    if (timetable.suspend) return { verdict: 'suspended', pin: due.repins ? due.next : pin };
    if (slot === undefined) return { verdict: 'waiting', pin: due.repins ? due.next : pin };
    return fateOf(scene, due, slot, keptPin(scene, due));
  })();
  const stray =
    due.repins && due.proved === undefined ? provedFrom(scene, Number.NEGATIVE_INFINITY) : undefined;
  const proved = due.proved === fate.open ? undefined : (due.proved ?? stray);
  const last = Math.max(...[recorded, proved, fate.last].filter((at) => at !== undefined));
  return {
    slot,
    creates: [],
    victims: [],
    hold: undefined,
    open: undefined,
    pin: undefined,
    ...fate,
    last: Number.isFinite(last) ? last : undefined,
  };
}
