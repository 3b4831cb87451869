import type { SimulateFlags } from '#cli/command/simulate.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { loadExtension } from '#cli/extension.ts';
import { type Found, kindsOf, readObjectRef } from '#cli/find-schedule.ts';
import type { Io } from '#cli/io.ts';
import { lookAt, type Sight } from '#cli/look.ts';
import { wantedSchedules } from '#cli/one-schedule.ts';
import { readingCode } from '#cli/outcome.ts';
import { readDuration } from '#cli/parsers.ts';
import {
  type Chosen,
  onlyOrder,
  ordersOf,
  playedNames,
  playedOrders,
  readPlayedRef,
} from '#cli/played-orders.ts';
import { idlePodRule, readPodEnds } from '#cli/pod-ends.ts';
import { print } from '#cli/print.ts';
import { startProgress } from '#cli/progress.ts';
import { textOptions } from '#cli/style.ts';
import { usageError } from '#cli/usage-error.ts';
import type { ScheduleChanges } from '#core/change/change-set.ts';
import { keyId } from '#core/object/key.ts';
import { listingOf } from '#core/observed.ts';
import type { Durations } from '#core/simulation/duration.ts';
import type { PlayedOrders } from '#core/simulation/orders/orders.ts';
import type { PartEnds } from '#core/simulation/orders/part-ends.ts';
import { type ScheduleSimulation, type Simulation, simulateStepwise } from '#core/simulation/simulate.ts';
import { type SimulationRemarks, toSimulationDocument } from '#core/simulation/simulation-document.ts';
import { instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { escapeText } from '#render/escape-text.ts';
import { simulationText } from '#render/simulation-text.ts';

const ASSUMED_SECONDS = 300;
const DAY = 86_400;

/** The kinds that a duration is for, with its seconds; it throws like the parser of a flag. */
function readDurationFlag(
  text: string,
): Found<{ readonly ids: readonly string[]; readonly seconds: number }> {
  const cut = text.lastIndexOf('=');
  const types = cut < 0 ? undefined : kindsOf(text.slice(0, cut));
  if (types?.ok === false) return types;
  const kinds = types === undefined ? KINDS : KINDS.filter(({ resource }) => types.value.includes(resource));
  return { ok: true, value: { ids: kinds.map(({ id }) => id), seconds: readDuration(text.slice(cut + 1)) } };
}

/** `20m` for all kinds, `KIND=20m` for one, which wins. */
function readDurations(texts: readonly string[]): Found<Durations> {
  const given = new Map<string, number>();
  const general = texts.filter((text) => !text.includes('='));
  for (const text of [...general, ...texts.filter((one) => !general.includes(one))]) {
    try {
      const read = readDurationFlag(text);
      if (!read.ok) return read;
      for (const id of read.value.ids) given.set(id, read.value.seconds);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { ok: false, message: `--duration ${escapeText(text)} ${why}` };
    }
  }
  return { ok: true, value: { given, assumedSeconds: ASSUMED_SECONDS } };
}

interface Given {
  readonly io: Io;
  readonly durations: Durations;
  readonly played: PlayedOrders | undefined;
}

/** Runs the simulation over everything that was read: schedules can hold each other up. */
async function runTicks(
  flags: SimulateFlags,
  { durations, played, io }: Given,
  sight: Sight,
): Promise<Simulation> {
  const { tick, now } = sight;
  const { observed, kinds, settings } = tick;
  const schedules = kinds.flatMap(({ resource }) => {
    const listing = listingOf(observed, resource);
    return listing.state === 'read' ? listing.objects : [];
  });
  const extend = await loadExtension(schedules);
  const steps = simulateStepwise({
    observed,
    kinds,
    settings,
    from: now,
    until: instant(now + flags.for),
    tickOffsetSeconds: flags['tick-offset'],
    durations,
    end: flags.outcome,
    ...(extend === undefined ? {} : { extend }),
    ...(played === undefined ? {} : { played }),
  });
  const days = (seconds: number): number => Math.floor(seconds / DAY);
  const progress = startProgress(io, (done, total) => `simulated ${days(done)} of ${days(total)} days`);
  for (;;) {
    const step = steps.next();
    if (step.done !== true) progress.tell(step.value - now, flags.for);
    else {
      progress.clear();
      return step.value;
    }
  }
}

function remarksFrom({ tick, changeSet }: Sight): (schedule: ScheduleSimulation) => SimulationRemarks {
  const verdicts = new Map(changeSet.schedules.map(({ key, verdict }) => [keyId(key), verdict]));
  return ({ key }) => {
    const id = keyId(key);
    const actor = verdicts.get(id)?.actor;
    const isExample = tick.reconciliation.entries.get(id)?.range !== undefined;
    return { ...(actor === undefined ? {} : { actor }), ...(isExample ? { example: true } : {}) };
  };
}

function only(simulation: Simulation, wanted: readonly ScheduleChanges[], isNamed: boolean): Chosen {
  const ids = new Set(wanted.map(({ key }) => keyId(key)));
  const schedules = simulation.schedules.filter(({ key }) => ids.has(keyId(key)));
  const orders = ordersOf(simulation.orders, isNamed ? ids : undefined);
  return { ok: true, value: { ...simulation, schedules, orders } };
}

/** How pods end; what is given for all runs holds for them, too. */
function partEnds({ duration = [], outcome }: SimulateFlags, rules: PartEnds['rules']): PartEnds {
  const general = duration.findLast((text) => !text.includes('='));
  return { rules, outcome, seconds: general === undefined ? ASSUMED_SECONDS : readDuration(general) };
}

/** Shows what becomes of the slots of a stretch of time. */
export async function simulate(flags: SimulateFlags, words: readonly string[], io: Io): Promise<ExitCode> {
  const order = readPlayedRef(words);
  const ref = words.length === 0 || order !== undefined ? undefined : readObjectRef(words);
  if (ref?.ok === false) return usageError(io, ref.message);
  const durations = readDurations(flags.duration ?? []);
  if (!durations.ok) return usageError(io, durations.message);
  const rules = readPodEnds(flags.pod ?? []);
  if (!rules.ok) return usageError(io, rules.message);
  const { from: { at, file } = {}, ...others } = flags;
  if (at !== undefined && flags.now !== undefined)
    return usageError(io, '--from and --now both say when it begins: give one of them');
  const asked = {
    ...others,
    ...(at === undefined ? {} : { now: at }),
    ...(file === undefined ? {} : { from: file }),
  };
  return lookAt({ flags: asked, io }, async (sight) => {
    const { failedReads } = sight;
    const wanted = wantedSchedules(sight, ref?.value, io);
    if (!wanted.ok) return wanted.shown;
    const { value: schedules, told } = wanted;
    const played = playedOrders(sight, partEnds(flags, rules.value));
    const idle = rules.value.length === 0 ? undefined : idlePodRule(rules.value, playedNames(sight, played));
    if (idle !== undefined) return { code: usageError(io, idle), diagnostics: [] };
    const whole = await runTicks(flags, { io, durations: durations.value, played }, sight);
    const chosen = order === undefined ? only(whole, schedules, ref !== undefined) : onlyOrder(whole, order);
    if (!chosen.ok) {
      io.stderr.write(`error: ${chosen.message}\n`);
      return { code: chosen.code, diagnostics: chosen.code === EXIT.usage ? [] : told };
    }
    const simulation = chosen.value;
    const remarksOf = remarksFrom(sight);
    const { outcome, 'tick-offset': tickOffsetSeconds } = flags;
    const view = {
      document: () => toSimulationDocument(simulation, { tickOffsetSeconds, outcome, remarksOf }),
      text: () =>
        simulationText(simulation, { ...textOptions(io.stdout, io, flags), failedReads, outcome, remarksOf }),
    };
    await print(flags.output, view, io);
    return { code: readingCode(sight), diagnostics: told };
  });
}
