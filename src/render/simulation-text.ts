import type { ScheduleSimulation, Simulation } from '#core/simulation/simulate.ts';
import type { SimulationDocument, SimulationRemarks } from '#core/simulation/simulation-document.ts';
import type { HeldTime, MissedSlots, Moments, SlotFate } from '#core/simulation/tally.ts';
import { type SimulationTotals, simulationTotals } from '#core/simulation/totals.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import type { Zone } from '#core/time/zone.ts';
import { escapeText } from '#render/escape-text.ts';
import { isUtc, localText, momentText, utcText } from '#render/moment-text.ts';
import { objectText } from '#render/object-text.ts';
import { grouped, listed, plural } from '#render/plural.ts';
import { simulatedOrderLines } from '#render/simulated-orders-text.ts';
import { spanText } from '#render/span-text.ts';
import { table } from '#render/table.ts';
import type { TextOptions } from '#render/text-options.ts';
import { noneText, partText, type UnreadOptions } from '#render/unread-text.ts';

export interface SimulationTextOptions extends TextOptions, UnreadOptions {
  readonly outcome: SimulationDocument['outcome'];
  readonly remarksOf: (schedule: ScheduleSimulation) => SimulationRemarks;
}

/** Reasons that are told of each schedule; the document has every slot. */
const MOST_REASONS = 3;

/** In the order in which they are told; what is not listed comes behind, as it is called. */
const FATES: readonly SlotFate[] = ['held', 'superseded', 'expired', 'suspended', 'empty', 'ran'];

function fateWord(fate: string): string {
  return fate === 'held' ? 'skipped beside a run' : fate === 'ran' ? 'run before' : fate;
}

function countWords({ fates, pending }: Pick<SimulationTotals, 'fates' | 'pending'>): readonly string[] {
  const others = Object.keys(fates).filter((fate) => fate !== 'fired' && !FATES.some((one) => one === fate));
  const counts: Readonly<Partial<Record<string, number>>> = fates;
  return [
    ...[...FATES, ...others.sort()].flatMap((fate) => {
      const count = counts[fate] ?? 0;
      return count === 0 ? [] : [`${grouped(count)} ${fateWord(fate)}`];
    }),
    ...(pending === 0 ? [] : [`${grouped(pending)} waiting at the end`]),
  ];
}

function heldText(held: HeldTime, heldBy: SimulationTotals['heldBy']): string {
  const reasons = Object.entries(heldBy).map(
    ([why, { slots, seconds }]) => `${escapeText(why)} ${grouped(slots)} for ${spanText(seconds)}`,
  );
  return `${plural(held.slots, 'slot')} waited for ${spanText(held.seconds)} together: ${reasons.join(', ')}`;
}

function namesLine(label: string, schedules: readonly ScheduleSimulation[]): readonly string[] {
  return schedules.length === 0 ? [] : [`${label}: ${listed(schedules.map(({ key }) => objectText(key)))}`];
}

/** A gap needs two starts: without these names the longest one would tell of the healthy schedules alone. */
function silentLines(schedules: readonly ScheduleSimulation[]): readonly string[] {
  const started = schedules.filter(({ account }) => account.starts.count > 0);
  return [
    ...namesLine(
      'never starts',
      schedules.filter(({ account }) => account.starts.count === 0),
    ),
    ...namesLine(
      'starts, and never succeeds',
      started.filter(({ account }) => account.successes.count === 0),
    ),
  ];
}

function totalLines(schedules: readonly ScheduleSimulation[]): readonly string[] {
  const totals = simulationTotals(schedules);
  const { fates, held, heldBy, runs, replaced, longestGap } = totals;
  const gap = longestGap?.account.starts.longestGap;
  return [
    [`${grouped(fates.fired ?? 0)} fired`, ...countWords(totals)].join(', '),
    `${plural(runs, 'run')} started, ${grouped(replaced)} replaced`,
    ...(held.slots === 0 ? [] : [heldText(held, heldBy)]),
    ...(gap === undefined || longestGap === undefined
      ? []
      : [
          `longest gap between two starts: ${spanText(gap.until - gap.from)}, ${objectText(longestGap.key)}, from ${momentText(gap.from, longestGap.zone)}`,
        ]),
    ...silentLines(schedules),
  ];
}

function shortMoment(at: Instant | undefined, zone: Zone | undefined): string {
  if (at === undefined) return '';
  return zone === undefined || isUtc(zone) ? utcText(at) : localText(at, zone);
}

function durationText({ duration, byParts }: ScheduleSimulation): string {
  if (duration === undefined) return byParts === true ? 'none ended' : '';
  const { seconds, from, runs = 0 } = duration;
  const median = `median of ${grouped(runs)}`;
  const source = from === 'history' ? median : from === 'parts' ? `by pods, ${median}` : from;
  return `${spanText(seconds)} (${source})`;
}

/** Runs that end with their pods end as these do. */
function endsText(schedules: readonly ScheduleSimulation[], outcome: SimulationDocument['outcome']): string {
  const end = outcome === 'succeeded' ? 'succeeds' : 'fails';
  const byPods = schedules.filter(({ byParts }) => byParts === true).length;
  if (byPods === 0) return `every run ${end}`;
  return byPods === schedules.length
    ? 'runs end with their pods'
    : `runs of managed Jobs end with their pods, every other run ${end}`;
}

function gapText({ count, longestGap }: Moments): string {
  if (longestGap !== undefined) return spanText(longestGap.until - longestGap.from);
  return count === 0 ? 'never' : 'once';
}

function row(schedule: ScheduleSimulation): readonly string[] {
  const { key, zone, account } = schedule;
  const { starts, successes, held, replaced, fates } = account;
  const missed = Object.entries(fates).reduce(
    (sum, [fate, count]) => sum + (fate === 'fired' || fate === 'ran' ? 0 : count),
    0,
  );
  return [
    objectText(key),
    grouped(fates.fired ?? 0),
    grouped(missed),
    held.slots === 0 ? '' : spanText(held.seconds),
    grouped(replaced),
    gapText(starts),
    gapText(successes),
    shortMoment(starts.first, zone),
    shortMoment(starts.last, zone),
    durationText(schedule),
  ];
}

const HEAD = [
  'OBJECT',
  'FIRED',
  'MISSED',
  'HELD',
  'REPLACED',
  'GAP',
  'SUCCESS GAP',
  'FIRST START',
  'LAST START',
  'A RUN TAKES',
] as const;

function missedText({ key, zone }: ScheduleSimulation, missed: MissedSlots): string {
  const { fate, first, last, count, settledAt, by, reason, runs = [], heldSeconds } = missed;
  const word = settledAt === undefined ? `${fate} at the end` : fateWord(fate);
  const when =
    count === 1
      ? momentText(first, zone)
      : `${plural(count, 'slot')}, first ${shortMoment(first, zone)}, last ${momentText(last, zone)}`;
  const notes = [
    `${word}${by === undefined ? '' : ` by ${shortMoment(by, zone)}`}`,
    ...(heldSeconds === undefined
      ? []
      : [`held for ${spanText(heldSeconds)}${count === 1 ? '' : ' together'}`]),
    ...(reason === undefined || reason.toLowerCase() === fate ? [] : [escapeText(reason)]),
    ...(runs.length === 0 ? [] : [listed(runs.map(escapeText))]),
  ];
  return `${when}  ${objectText(key)}: ${notes.join(', ')}`;
}

/** The slots of one schedule that did not run for one reason, as one; what only one of them has is left out. */
function together(a: MissedSlots, b: MissedSlots): MissedSlots {
  const { fate, reason, settledAt } = a;
  const isHeld = a.heldSeconds !== undefined || b.heldSeconds !== undefined;
  return {
    fate,
    first: instant(Math.min(a.first, b.first)),
    last: instant(Math.max(a.last, b.last)),
    count: a.count + b.count,
    ...(settledAt === undefined ? {} : { settledAt }),
    ...(reason === undefined ? {} : { reason }),
    ...(isHeld ? { heldSeconds: (a.heldSeconds ?? 0) + (b.heldSeconds ?? 0) } : {}),
  };
}

/** By reason, the most frequent one first. */
function missedByReason(missed: readonly MissedSlots[]): readonly MissedSlots[] {
  const groups = new Map<string, MissedSlots>();
  for (const one of missed) {
    if (one.fate === 'ran') continue;
    const id = JSON.stringify([one.fate, one.reason]);
    const known = groups.get(id);
    groups.set(id, known === undefined ? one : together(known, one));
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || a.first - b.first);
}

/** Some lines for each schedule, so that a busy one hides no other. */
function missedLines(schedule: ScheduleSimulation): readonly string[] {
  const { key, account } = schedule;
  const { missed, pending } = account;
  const groups = missedByReason(missed);
  const rest = groups.slice(MOST_REASONS);
  const more = rest.reduce((sum, { count }) => sum + count, 0);
  return [
    ...groups.slice(0, MOST_REASONS).map((group) => missedText(schedule, group)),
    ...(more === 0
      ? []
      : [`${objectText(key)}: ${plural(more, 'slot')} more, for ${plural(rest.length, 'other reason')}`]),
    ...(pending === undefined ? [] : [missedText(schedule, pending)]),
  ];
}

function remarkLines(
  schedules: readonly ScheduleSimulation[],
  { remarksOf }: SimulationTextOptions,
): readonly string[] {
  return schedules.flatMap((schedule) => {
    const { actor, example } = remarksOf(schedule);
    const name = objectText(schedule.key);
    const { idle } = schedule;
    return [
      ...(idle === undefined ? [] : [`${name} starts nothing: ${escapeText(idle.detail ?? idle.code)}.`]),
      ...(actor === undefined
        ? []
        : [`${name} is acted on by ${escapeText(actor)}; here as Minutehand would.`]),
      ...(example === undefined
        ? []
        : [`${name} has no uid yet, so where H and jitter put its slots is one example of many.`]),
    ];
  });
}

function onlyJobs(
  { from, until }: Simulation,
  jobs: readonly string[],
  options: SimulationTextOptions,
): string {
  if (jobs.length === 0) return `${noneText(options)}\n`;
  const part = partText(options);
  return `${[
    options.palette.strong(`${spanText(until - from)} from ${utcText(from)}, a tick every minute`),
    ...jobs,
    ...(part === undefined ? [] : ['', part]),
  ].join('\n')}\n`;
}

/** Totals first, then a line for each schedule, then what did not run. Ends with a line break. */
export function simulationText(simulation: Simulation, options: SimulationTextOptions): string {
  const { from, until, schedules } = simulation;
  const jobs = simulatedOrderLines(simulation.orders, { ...options, until });
  if (schedules.length === 0) return onlyJobs(simulation, jobs, options);
  const { palette } = options;
  const [head = '', ...lines] = table(HEAD, schedules.map(row));
  const missed = schedules.flatMap(missedLines);
  const remarks = remarkLines(schedules, options);
  const part = partText(options);
  return `${[
    palette.strong(
      `${plural(schedules.length, 'schedule')}, ${spanText(until - from)} from ${utcText(from)}, a tick every minute; ${endsText(schedules, options.outcome)}`,
    ),
    ...totalLines(schedules),
    '',
    palette.faint(head),
    ...lines,
    ...(jobs.length === 0 ? [] : ['', ...jobs]),
    ...(missed.length === 0 ? [] : ['', 'Slots that did not run:', ...missed.map((line) => `  ${line}`)]),
    ...(remarks.length === 0 ? [] : ['', ...remarks]),
    ...(part === undefined ? [] : ['', part]),
  ].join('\n')}\n`;
}
