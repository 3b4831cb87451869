import { effectiveVerdict, type Verdict } from '#core/change/verdict.ts';
import type { Fate, OwedExplanation } from '#core/explanation.ts';
import type { Schedule } from '#core/kind.ts';
import type { Run } from '#core/run/phase.ts';
import { COUNT_LIMIT, isExpired, type LatenessRule, wantedUntil } from '#core/slot/decide-slot.ts';
import { isNamed, type Owing, owingOf } from '#core/slot/owing.ts';
import type { Timing } from '#core/slot/timing.ts';
import { type Instant, instant } from '#core/time/instant.ts';

export interface OwedInput {
  readonly timing: Timing;
  readonly schedule: Schedule;
  readonly runs: readonly Run[];
  readonly proved: Instant | undefined;
  readonly verdict: Verdict;
  readonly now: Instant;
  readonly rules: LatenessRule;
}

const SHOWN = 10;

/** Of a slot that is not the latest: it ran, the pause or the deadline took it, or the latest one stands for it. */
function olderFate(slot: Instant, latest: Instant, input: OwedInput): Pick<Fate, 'code' | 'by' | 'runs'> {
  const run = input.runs.find((one) => !one.manual && one.slot === slot);
  if (run !== undefined) return { code: 'ran', runs: [run.object.metadata.name] };
  if (input.proved !== undefined && slot < input.proved) return { code: 'superseded', by: input.proved };
  const { code } = effectiveVerdict(input.verdict);
  if (code === 'suspended') return { code };
  if (isExpired(slot, input.now, input.rules)) return { code: 'expired' };
  return { code: 'superseded', by: latest };
}

function latestFate({ verdict }: OwedInput): Pick<Fate, 'code' | 'runs'> {
  const { code, runs } = effectiveVerdict(verdict);
  return runs === undefined ? { code } : { code, runs };
}

/** What becomes of one owed slot. */
export function fateOf(slot: Instant, latest: Instant, input: OwedInput): Fate {
  const fate = slot === latest ? latestFate(input) : olderFate(slot, latest, input);
  const until = wantedUntil(slot, input.rules);
  return {
    slot,
    lateSeconds: input.now - slot,
    ...fate,
    ...(until === undefined ? {} : { wantedUntil: until }),
  };
}

/** Slots before the proved one are told too, unless another timing gave it. */
export function toldOwing({ timing, schedule, proved }: OwedInput): Owing {
  const { anchor, pin } = schedule;
  const isOdd = pin !== undefined && proved !== undefined && !isNamed(timing, proved);
  return owingOf(timing, { anchor, pin, proved: isOdd ? proved : undefined });
}

/** The slots in (anchor, now] with their fates; undefined if none is owed. */
export function owedSlots(input: OwedInput): OwedExplanation | undefined {
  const { now } = input;
  const owing = toldOwing(input);
  const latest = owing.latest(now);
  if (latest === undefined) return undefined;
  const slots: Instant[] = [];
  for (let slot: Instant | undefined = latest; slot !== undefined && slots.length < SHOWN; ) {
    slots.push(slot);
    slot = owing.latest(instant(slot - 1));
  }
  return {
    count: owing.count(latest, COUNT_LIMIT),
    oldest: owing.first ?? latest,
    latest,
    fates: slots.map((slot) => fateOf(slot, latest, input)),
  };
}
