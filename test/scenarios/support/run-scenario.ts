import { type ReadForDrivers, readForDrivers } from '#cli/read-for-drivers.ts';
import { hasChanges } from '#core/change/change-set.ts';
import { checkChangeSet } from '#core/change/check.ts';
import type { Settings } from '#core/kind.ts';
import { canonicalJson } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { Observed } from '#core/observed.ts';
import { type Reconciliation, reconcile } from '#core/reconcile.ts';
import { referentsOf } from '#core/referents.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { parseExtendedDays } from '#source/cron-parser-days.ts';
import { applyChangeSet } from '#store/apply.ts';
import type { Store } from '#store/port.ts';
import { crashSweep } from './crash-sweep.ts';
import { describeTick, type TickText } from './describe-tick.ts';
import type { Scenario, TickPlan } from './scenario.ts';
import { disturb, openStore, readAll, refusing, reordered } from './scenario-store.ts';

/** Of one tick: what it did, and where it broke a rule that holds for every tick. */
export interface TickResult {
  readonly text: TickText;
  readonly broken: readonly string[];
}

/** CronJobs are managed unless a scenario says otherwise: the built-in controller acts on them by default. */
function settingsOf({ graceSeconds, settings }: TickPlan): Settings {
  return {
    graceSeconds,
    defaultTimeZone: 'UTC',
    writers: { 'cron-job': 'manage' },
    retention: { 'snapshot-policy': 'manage' },
    ...settings,
  };
}

/** What a tick of a scenario makes of what was read. */
export function decide(observed: Observed, tick: TickPlan, beside: ReadForDrivers = {}): Reconciliation {
  const { besides: _besides, ...forDrivers } = beside;
  return reconcile({
    ...forDrivers,
    drivers: DRIVERS,
    observed,
    kinds: KINDS,
    settings: settingsOf(tick),
    now: tick.now,
    extend: parseExtendedDays,
  });
}

/** Everything that a tick reads: the lists, and what drivers want beside them. */
async function look(
  store: Store,
  tick: TickPlan,
): Promise<Awaited<ReturnType<typeof readAll>> & { readonly beside: ReadForDrivers }> {
  const read = await readAll(store);
  const { observed } = read;
  const beside = await readForDrivers(refusing(store, tick.refuse), {
    observed,
    referents: referentsOf(observed),
    settings: settingsOf(tick),
    now: tick.now,
    drivers: DRIVERS,
  });
  return { ...read, beside };
}

async function decideOn(store: Store, tick: TickPlan): Promise<Reconciliation> {
  const { observed, beside } = await look(store, tick);
  return decide(observed, tick, beside);
}

/** Crashes are tried where the tick is undisturbed otherwise, and done when it ends. */
async function crashes(objects: readonly KubeObject[], tick: TickPlan): Promise<string[]> {
  const { maxCreates, maxDeletes } = tick.settings;
  const disturbed = Object.keys({ ...tick.refuse, ...tick.meanwhile }).length > 0;
  if (disturbed || maxCreates !== undefined || maxDeletes !== undefined) return [];
  return crashSweep({
    open: () => openStore(objects, tick),
    decide: (store) => decideOn(store, tick),
  });
}

/** Budgets leave work for later ticks; everything else is done after one. */
const MOST_ROUNDS = 12;

async function unsettled(store: ReturnType<typeof openStore>, tick: TickPlan): Promise<string[]> {
  if (Object.keys({ ...tick.refuse, ...tick.meanwhile }).length > 0) return [];
  const { maxCreates, maxDeletes } = tick.settings;
  const rounds = maxCreates === undefined && maxDeletes === undefined ? 0 : MOST_ROUNDS;
  for (let round = 0; round <= rounds; round += 1) {
    const again = await decideOn(store, tick);
    if (!hasChanges(again.changeSet)) return [];
    if (rounds === 0)
      return [
        `a second decision still changes ${canonicalJson([again.changeSet.schedules, again.changeSet.works])}`,
      ];
    await applyChangeSet(store, again);
  }
  return ['the budgets never get done'];
}

async function runTick(
  objects: readonly KubeObject[],
  tick: TickPlan,
): Promise<{ readonly result: TickResult; readonly objects: readonly KubeObject[] }> {
  const store = openStore(objects, tick);
  const { observed, obsolete, beside } = await look(store, tick);
  const reconciliation = decide(observed, tick, beside);
  const { changeSet } = reconciliation;
  const problems = checkChangeSet(changeSet, {
    observed,
    kinds: KINDS,
    drivers: DRIVERS,
    settings: settingsOf(tick),
    besides: beside.besides ?? [],
  });
  const shuffled = decide(reordered(observed), tick, beside);
  disturb(store, tick.meanwhile);
  const report = await applyChangeSet(refusing(store, tick.refuse), reconciliation);
  const after = store.objects();
  const broken = [
    ...problems.map(({ what }) => what),
    ...(canonicalJson(shuffled.changeSet) === canonicalJson(changeSet) ? [] : ['the order of input counts']),
    ...(await unsettled(store, tick)),
    ...(await crashes(objects, tick)),
  ];
  return { result: { text: describeTick(changeSet, report, obsolete), broken }, objects: after };
}

/** Every tick of a scenario in turn, each on what the one before left. */
export async function runScenario(scenario: Scenario): Promise<readonly TickResult[]> {
  const results: TickResult[] = [];
  let objects = scenario.objects;
  for (const tick of scenario.ticks) {
    const done = await runTick(objects, tick);
    results.push(done.result);
    objects = done.objects;
  }
  return results;
}
