import type { Verdict } from '#core/change/verdict.ts';
import type { ScheduleKind, Settings } from '#core/kind.ts';
import { keyId } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { type Reconciliation, reconcile } from '#core/reconcile.ts';
import type { Entry } from '#core/settle.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import type { Zone } from '#core/time/zone.ts';
import { minuteGrid, openAgenda } from './agenda.ts';
import { addTo, type Course, type Line, type SimulationInput, watchKey } from './course.ts';
import { type Durations, durationByParts, durationOf, type RunDuration } from './duration.ts';
import { forgetSpent } from './forget-spent.ts';
import { type Account, openLedger } from './ledger.ts';
import type { OrderAccount } from './orders/diary.ts';
import { openOrders } from './orders/orders.ts';
import { endRuns, planKnownEnds } from './run-ends.ts';
import { nextTurn, owedOf } from './wake.ts';
import { openWorld } from './world.ts';
import { writeSchedule } from './write-schedule.ts';

/** What became of one schedule. */
export interface ScheduleSimulation {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly zone: Zone | undefined;
  /** Absent where nothing of it could be decided, and where its runs end with their parts and none did. */
  readonly duration?: RunDuration;
  /** Its runs are carried out by parts, and end with them. */
  readonly byParts?: true;
  readonly account: Account;
  /** What the first tick said of it where it never starts anything. */
  readonly idle?: Verdict;
}

export interface Simulation {
  readonly from: Instant;
  readonly until: Instant;
  /** Ticks that were decided; in all others nothing could happen. */
  readonly decidedTicks: number;
  readonly schedules: readonly ScheduleSimulation[];
  /** In the order in which they were seen. */
  readonly orders: readonly OrderAccount[];
}

/** What the retention of others prunes is left alone: no slot depends on it. */
function simulatedSettings(settings: Settings, kinds: readonly ScheduleKind[]): Settings {
  const writers = Object.fromEntries(kinds.map(({ id }) => [id, 'manage'] as const));
  return { ...settings, writers: { ...settings.writers, ...writers }, retention: {} };
}

function decideTick(
  { input, world }: Pick<Course, 'input' | 'world'>,
  now: Instant,
  ids?: ReadonlySet<string>,
): Reconciliation {
  const { settings, extend } = input;
  const seen = { ...world.read(ids), settings, now };
  return reconcile(extend === undefined ? seen : { ...seen, extend });
}

/** When the schedule is to be looked at again. */
function lookAhead(course: Course, id: string, entry: Entry, tick: Instant): void {
  const { agenda, waiting, input, tickAt } = course;
  const type = typeId(entry.kind.run);
  const isWaiting = entry.decision.state !== 'suspended' && owedOf(entry.decision) !== undefined;
  if (isWaiting) addTo(waiting, type, id);
  else waiting.get(type)?.delete(id);
  agenda.wake(id, tickAt(nextTurn(entry, input.settings.graceSeconds, tick)));
}

function runTick(course: Course, tick: Instant, ids?: ReadonlySet<string>): void {
  const { lines, agenda, tickAt } = course;
  const reconciliation = decideTick(course, tick, ids);
  const { schedules, diagnostics } = reconciliation.changeSet;
  // What a budget leaves over is tried again in the next tick, and nothing tells whose it is.
  const isShort = diagnostics.some(({ code }) => code === 'BudgetExhausted');
  for (const schedule of schedules) {
    const id = keyId(schedule.key);
    const entry = reconciliation.entries.get(id);
    const line = lines.get(id);
    if (entry === undefined || line === undefined) continue;
    const { decision } = entry;
    line.ledger.record(tick, entry, schedule);
    if ('timing' in decision) line.zone = decision.timing?.zone;
    const wrote = writeSchedule(course, reconciliation, schedule, tick);
    const isLeftOver = isShort || decision.state === 'deferred';
    if (!isLeftOver) forgetSpent(course, entry);
    if (wrote || isLeftOver) agenda.wake(id, tickAt(instant(tick + 1)));
    else lookAhead(course, id, entry, tick);
  }
}

/** Every schedule as the first tick finds it. */
function openLines({ changeSet, entries }: Reconciliation, durations: Durations): ReadonlyMap<string, Line> {
  return new Map(
    changeSet.schedules.map((changes) => {
      const id = keyId(changes.key);
      const entry = entries.get(id);
      const duration = entry === undefined ? undefined : durationOf(entry.kind, entry.runs, durations);
      return [id, { changes, ledger: openLedger(), duration, zone: undefined }];
    }),
  );
}

function setOut(input: SimulationInput, beginning: Instant, tickAt: Course['tickAt']): Course {
  const world = openWorld(input.observed, input.kinds, input.played?.driver.orders);
  const first = decideTick({ input, world }, beginning);
  const open: Omit<Course, 'orders'> = {
    input,
    world,
    agenda: openAgenda(),
    lines: openLines(first, input.durations),
    watchers: new Map(),
    waiting: new Map(),
    endings: new Map(),
    tickAt,
  };
  const { played } = input;
  const course: Course = {
    ...open,
    orders: played === undefined ? undefined : openOrders(open, played),
  };
  for (const [id, { kind, schedule }] of first.entries) {
    for (const key of schedule.ownKeys) addTo(course.watchers, watchKey(typeId(kind.run), key), id);
  }
  planKnownEnds(course, first.entries);
  return course;
}

/**
 * The ticks of a stretch of time, decided as they are, in a world where every write goes through and every run takes
 * its time. A tick in which nothing can happen is left out, and a tick looks at those schedules only that something
 * may have happened to: the others would be left as they are.
 */
export function simulate(given: SimulationInput): Simulation {
  const steps = simulateStepwise(given);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same for who tells how far it has come: it pauses behind every tick that was decided. */
export function* simulateStepwise(given: SimulationInput): Generator<Instant, Simulation> {
  const { from, until, kinds } = given;
  const input = { ...given, settings: simulatedSettings(given.settings, kinds) };
  const grid = minuteGrid(input.tickOffsetSeconds);
  const beginning = grid.tickAt(from);
  const course = setOut(input, beginning, grid.tickAt);
  const { orders } = course;
  let decidedTicks = 0;
  for (let tick = beginning; tick < until; tick = grid.after(tick)) {
    endRuns(course, tick);
    orders?.endParts(tick);
    const ids = course.agenda.take(tick);
    const isFirst = tick === beginning;
    if (isFirst || ids.size > 0) runTick(course, tick, isFirst ? undefined : ids);
    // Runs that this tick makes or deletes are seen by the next one.
    const isDriven = orders?.decide(tick) === true;
    if (!isFirst && ids.size === 0 && !isDriven) continue;
    decidedTicks += 1;
    yield tick;
  }
  const accounts = orders?.close(until) ?? [];
  const bySchedule = Map.groupBy(accounts, ({ schedule }) => schedule && keyId(schedule));
  const schedules = [...course.lines].map(([id, line]) => concluded(line, bySchedule.get(id) ?? [], until));
  return { from, until, decidedTicks, schedules, orders: accounts };
}

/** How long the runs of a schedule took: those that were carried out by parts tell it themselves. */
function measured(
  line: Line,
  orders: readonly OrderAccount[],
): Pick<ScheduleSimulation, 'duration' | 'byParts'> {
  const byParts = orders.length > 0;
  const took = orders.flatMap(({ made, endedAt }) =>
    made === undefined || endedAt === undefined ? [] : [endedAt - made],
  );
  const recorded = line.duration?.from === 'history' ? line.duration : undefined;
  const duration = byParts ? (durationByParts(took) ?? recorded) : line.duration;
  return { ...(duration === undefined ? {} : { duration }), ...(byParts ? { byParts } : {}) };
}

function concluded(line: Line, orders: readonly OrderAccount[], until: Instant): ScheduleSimulation {
  const { changes, ledger, zone } = line;
  const { type, key, verdict } = changes;
  const isIdle = line.duration === undefined || verdict.code === 'invalid' || verdict.code === 'deleting';
  return {
    type,
    key,
    zone,
    ...measured(line, orders),
    account: ledger.close(until),
    ...(isIdle ? { idle: verdict } : {}),
  };
}
