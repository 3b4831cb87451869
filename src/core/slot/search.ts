import type { Instant } from '#core/time/instant.ts';
import { countBases, END_OF_TIME, FIRST_INSTANT, firstBase, lastBase } from './base-slot.ts';
import { baseOfSpread, countSpread, firstSpread, lastSpread, listSpread } from './spread-search.ts';
import type { Timing } from './timing.ts';

/** Decided from the fields: 30 February, or a field of commas only. */
export function neverFires(timing: Timing): boolean {
  return timing.never;
}

/** The first slot strictly after an instant, jitter included; undefined if there is none within the horizon. */
export function firstAfter(timing: Timing, after: Instant): Instant | undefined {
  if (timing.never) return undefined;
  const { spread } = timing;
  const end = timing.kind === 'every' ? END_OF_TIME : Math.min(END_OF_TIME, after + timing.horizon);
  const slot =
    spread === undefined
      ? firstBase(timing, Math.max(FIRST_INSTANT, after + 1), end)
      : firstSpread(timing, spread, after, end);
  return slot < END_OF_TIME ? (slot as Instant) : undefined;
}

/**
 * The last slot in (after, at], jitter included; undefined if there is none.
 * @param after bounds the search; without it the horizon does
 */
export function latestAtOrBefore(timing: Timing, at: Instant, after?: Instant): Instant | undefined {
  if (timing.never) return undefined;
  const { spread } = timing;
  const horizon = timing.kind === 'every' ? FIRST_INSTANT : at - timing.horizon;
  const from = Math.max(FIRST_INSTANT, after === undefined ? horizon : after + 1);
  const slot = spread === undefined ? lastBase(timing, at, from) : lastSpread(timing, spread, at, from);
  return slot >= from ? (slot as Instant) : undefined;
}

/**
 * How many slots lie in (after, upTo]; whole days are counted by their bits. Two base slots that jitter puts on the
 * same second are two.
 * @param limit the count may stop once it has reached this
 */
export function countBetween(
  timing: Timing,
  after: Instant,
  upTo: Instant,
  limit = Number.POSITIVE_INFINITY,
): number {
  if (timing.never || upTo <= after) return 0;
  const { spread } = timing;
  const range = { from: Math.max(FIRST_INSTANT, after + 1), end: Math.min(END_OF_TIME, upTo + 1) };
  if (spread === undefined) return countBases(timing, range.from, range.end, limit);
  return countSpread(timing, spread, range, limit);
}

/** The first `limit` slots in (after, upTo], in order, jitter included. */
export function enumerateSlots(timing: Timing, after: Instant, upTo: Instant, limit: number): Instant[] {
  if (timing.never) return [];
  const { spread } = timing;
  const range = { from: Math.max(FIRST_INSTANT, after + 1), end: Math.min(END_OF_TIME, upTo + 1) };
  if (spread !== undefined) return listSpread(timing, spread, range, limit) as Instant[];
  const found: Instant[] = [];
  let slot = firstBase(timing, range.from, range.end);
  while (slot < range.end && found.length < limit) {
    found.push(slot as Instant);
    slot = firstBase(timing, slot + 1, range.end);
  }
  return found;
}

/** Where a slot comes from: `slot` is `base` plus `offsetSeconds`. */
export interface BaseSlot {
  readonly base: Instant;
  readonly offsetSeconds: number;
}

/** The base slot of a slot and its jitter; the later one if two land there, undefined if the instant is no slot. */
export function baseSlotOf(timing: Timing, slot: Instant): BaseSlot | undefined {
  if (timing.never) return undefined;
  const { spread } = timing;
  const base = spread === undefined ? lastBase(timing, slot, slot) : baseOfSpread(timing, spread, slot);
  return base > Number.NEGATIVE_INFINITY && base <= slot
    ? { base: base as Instant, offsetSeconds: slot - base }
    : undefined;
}
