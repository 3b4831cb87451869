import type { Instant } from '#core/time/instant.ts';

/** From the beginning of a part to its end. */
export interface PartSpan {
  readonly name: string;
  readonly place?: number;
  readonly from: Instant;
  /** Absent: it is still at work. */
  readonly until?: Instant;
  readonly end: 'succeeded' | 'failed' | 'stopped' | 'running';
  readonly exitCode?: number;
  /** It failed because it was taken from its node. */
  readonly disrupted?: true;
  /** How often what runs in it was started anew. */
  readonly restarts: number;
}

/** A span that may still be going on. */
export type OpenSpan = { -readonly [Member in keyof PartSpan]: PartSpan[Member] };

/** Room for spans, which all orders share. */
export interface SpanRoom {
  left: number;
}

/** The spans of an order that are told one by one. */
export interface KeptSpans {
  readonly add: (span: OpenSpan) => void;
  /** As they began. */
  readonly all: () => readonly OpenSpan[];
}

/** The first ones of an order tell how it goes; one with thousands leaves room for the others. */
const MOST_SPANS = 500;

/**
 * Of an order with places the lowest ones are kept, each with everything that began there: a row that leaves out what
 * was tried again would tell of one failure where there were two. Where room runs out, the highest place makes some.
 */
export function keepSpans(room: SpanRoom): KeptSpans {
  let spans: OpenSpan[] = [];
  const counts = new Map<number, number>();
  /** From this place on nothing is kept any more. */
  let ceiling = Number.POSITIVE_INFINITY;

  const isFull = (): boolean => spans.length >= MOST_SPANS || room.left === 0;

  function keep(span: OpenSpan): void {
    room.left -= 1;
    spans.push(span);
    if (span.place !== undefined) counts.set(span.place, (counts.get(span.place) ?? 0) + 1);
  }

  function dropHighest(highest: number): void {
    ceiling = highest;
    room.left += counts.get(highest) ?? 0;
    counts.delete(highest);
    spans = spans.filter(({ place }) => place !== highest);
  }

  function keepInPlace(span: OpenSpan, place: number): void {
    if (place >= ceiling) return;
    if (!isFull()) {
      keep(span);
      return;
    }
    const highest = Math.max(...counts.keys(), place);
    // What was tried in the only place that is left is too much to be kept whole: the first of it stays.
    if (highest === place && counts.size === 1 && counts.has(place)) return;
    dropHighest(highest);
    if (place < highest) keepInPlace(span, place);
  }

  return {
    add(span) {
      if (span.place !== undefined) keepInPlace(span, span.place);
      else if (!isFull()) keep(span);
    },
    all: () => spans,
  };
}
