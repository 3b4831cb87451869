import type { Verdict } from '#core/change/verdict.ts';
import { owingOfEntry } from '#core/entry-timing.ts';
import { fateOf, type OwedInput, toldOwing } from '#core/explain-owed.ts';
import type { Fate, ToldEvent } from '#core/explanation.ts';
import { compareText } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { readTimeValue } from '#core/object/time-field.ts';
import type { Run, RunPhase } from '#core/run/phase.ts';
import type { Entry } from '#core/settle.ts';
import { spansAfter } from '#core/slot/range.ts';
import { countBetween, enumerateSlots } from '#core/slot/search.ts';
import { type Timing, unbound } from '#core/slot/timing.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import type { SlotTeller } from '#core/timeline/told.ts';

/**
 * What becomes of a slot. `foretold`: it is still to come · `settled`: it has passed, and no run tells what became of
 * it. A slot to come of a schedule that is suspended or observed has that word.
 */
export type SlotCode = Fate['code'] | 'foretold' | 'settled';

export interface TimelineSlot {
  readonly slot: Instant;
  readonly code: SlotCode;
  /** The slot lies between `slot` and this, and is fixed once the object has a uid. */
  readonly until?: Instant;
  /** Of a slot that ran: how its runs stand, the worst of them. */
  readonly phase?: RunPhase;
  readonly runs?: readonly string[];
  /** The slot that stands for a superseded one. */
  readonly by?: Instant;
  /** What an event says of a slot that has no run. */
  readonly told?: Pick<ToldEvent, 'reason' | 'note'>;
}

/** Instants from `from` to before `end`. */
export interface TimelineWindow {
  readonly from: Instant;
  readonly end: Instant;
}

/** A schedule whose slots can be told, and the tick that tells them. */
export interface SlotSource {
  readonly key: ObjectKey;
  readonly entry: Entry;
  readonly timing: Timing;
  readonly verdict: Verdict;
  readonly now: Instant;
  readonly graceSeconds: number;
  readonly tell: ReturnType<SlotTeller>;
}

/** The worst first. */
const PHASES: readonly RunPhase[] = ['failed', 'unknown', 'running', 'pending', 'inert', 'succeeded'];

function worstPhase(runs: readonly Run[]): RunPhase {
  return PHASES.find((phase) => runs.some((run) => run.phase === phase)) ?? 'unknown';
}

function ranSlot(slot: Instant, runs: readonly Run[]): TimelineSlot {
  const names = runs.map(({ object }) => object.metadata.name).sort(compareText);
  return { slot, code: 'ran', phase: worstPhase(runs), runs: names };
}

/** Own runs in the window, by their slots: also those that another expression once gave. */
function runsBySlot({ runs }: Entry, { from, end }: TimelineWindow): ReadonlyMap<Instant, readonly Run[]> {
  const found = new Map<Instant, Run[]>();
  for (const run of runs) {
    const { slot, manual } = run;
    if (manual || slot === undefined || slot < from || slot >= end) continue;
    const others = found.get(slot);
    if (others === undefined) found.set(slot, [run]);
    else others.push(run);
  }
  return found;
}

/** Where the object was made: it had no slot before. */
function creationOf({ schedule }: Entry): number {
  const created = readTimeValue(schedule.object.metadata.creationTimestamp);
  return created.state === 'read' ? created.at : Number.NEGATIVE_INFINITY;
}

/** What tells the fate of slots that have passed. */
function owedInput({ entry, timing, verdict, now, graceSeconds }: SlotSource): OwedInput {
  const { schedule, runs, proved, kind } = entry;
  const rules = {
    deadlineSeconds: schedule.deadlineSeconds,
    graceSeconds: verdict.code === 'observed' ? 0 : graceSeconds,
    exactlyOnDeadline: kind.rules.exactlyOnDeadline,
  };
  return { timing, schedule, runs, proved, verdict, now, rules };
}

function owedSlot(
  slot: Instant,
  latest: Instant,
  input: OwedInput,
  own: readonly Run[] | undefined,
): TimelineSlot {
  const { code, by, runs } = fateOf(slot, latest, input);
  if ((code === 'ran' || code === 'fired') && own !== undefined) return ranSlot(slot, own);
  return { slot, code, ...(by === undefined ? {} : { by }), ...(runs === undefined ? {} : { runs }) };
}

function settledSlot(slot: Instant, { tell }: SlotSource): TimelineSlot {
  const event = tell(slot);
  if (event === undefined) return { slot, code: 'settled' };
  const { reason, note } = event;
  return { slot, code: 'settled', told: { reason, note } };
}

function pastSlots(source: SlotSource, { from, end }: TimelineWindow): readonly TimelineSlot[] {
  const { entry, timing, now } = source;
  const first = Math.max(from, creationOf(entry));
  const last = instant(Math.min(end - 1, now));
  if (last < from) return [];
  const input = owedInput(source);
  const owing = toldOwing(input);
  const latest = owing.latest(now);
  const oldest = latest === undefined ? Number.POSITIVE_INFINITY : (owing.first ?? latest);
  const ran = runsBySlot(entry, { from, end: instant(last + 1) });
  const whole = unbound(timing);
  const named = first > last ? [] : enumerateSlots(whole, instant(first - 1), last, Number.POSITIVE_INFINITY);
  // A pin that the expression does not name is owed all the same.
  const odd = latest !== undefined && latest >= from && latest <= last ? [latest] : [];
  const slots = [...new Set([...named, ...odd, ...ran.keys()])].sort((a, b) => a - b);
  return slots.map((slot): TimelineSlot => {
    const own = ran.get(slot);
    if (latest !== undefined && slot >= oldest && slot <= latest) return owedSlot(slot, latest, input, own);
    return own === undefined ? settledSlot(slot, source) : ranSlot(slot, own);
  });
}

function codeToCome({ entry, verdict }: SlotSource): SlotCode {
  if (entry.schedule.suspended) return 'suspended';
  return verdict.code === 'observed' ? 'observed' : 'foretold';
}

function slotsToCome(source: SlotSource, { from, end }: TimelineWindow): readonly TimelineSlot[] {
  const { entry, timing, now } = source;
  const code = codeToCome(source);
  const { range } = entry;
  if (range !== undefined) {
    const most = countBetween(range.last, now, end) + 1;
    return spansAfter(range, now, most)
      .filter((span) => span.from >= from && span.from < end)
      .map((span) => ({ slot: span.from, until: span.until, code }));
  }
  const owing = owingOfEntry(entry, timing);
  const slots: TimelineSlot[] = [];
  const after = instant(Math.max(now, from - 1));
  for (let slot = owing.next(after); slot !== undefined && slot < end; slot = owing.next(slot))
    slots.push({ slot, code });
  return slots;
}

/**
 * The slots of a window in order: those that have passed with their fate, as far as runs and the verdict tell it, and
 * those to come.
 */
export function slotsIn(source: SlotSource, window: TimelineWindow): readonly TimelineSlot[] {
  // Where the object has no uid of its own yet, nothing has passed.
  const past = source.entry.range === undefined ? pastSlots(source, window) : [];
  return [...past, ...slotsToCome(source, window)];
}

/** Whether something starts, or may have started, at such a slot. */
export function isStart({ code }: Pick<TimelineSlot, 'code'>): boolean {
  switch (code) {
    case 'ran':
    case 'fired':
    case 'settled':
    case 'foretold':
    case 'observed':
      return true;
    case 'empty':
    case 'held':
    case 'expired':
    case 'superseded':
    case 'suspended':
    case 'waiting':
    case 'invalid':
    case 'unreadable':
    case 'conflict':
    case 'failed':
    case 'deferred':
    case 'deleting':
      return false;
  }
}
