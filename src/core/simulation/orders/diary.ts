import type { Json, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Work, WorkState } from '#core/run/driver.ts';
import type { PartState } from '#core/run/part-play.ts';
import type { Instant } from '#core/time/instant.ts';
import { keepSpans, type OpenSpan, type PartSpan, type SpanRoom } from './kept-spans.ts';

export interface PartCounts {
  /** Those included that were there from the beginning. */
  readonly started: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly stopped: number;
  readonly running: number;
}

/** What became of one order and of its parts. */
export interface OrderAccount {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  /** The schedule that made it. */
  readonly schedule?: ObjectKey;
  /** When it was made; absent where it does not say so. */
  readonly made?: Instant;
  /** The first tick that it was there in. */
  readonly seen: Instant;
  readonly parts: PartCounts;
  /** In how many places a part began; absent where they have none. */
  readonly places?: number;
  readonly restarts: number;
  /** Times in which a part was wanted and had to wait behind failures. */
  readonly waits: { readonly count: number; readonly seconds: number };
  readonly state: WorkState | 'deleted';
  /** The last one of the order. */
  readonly status: Json | undefined;
  readonly outcome?: 'succeeded' | 'failed';
  readonly reason?: string;
  readonly detail?: string;
  /** The tick that saw how it ends, and the one in which everything of it had ended. */
  readonly decidedAt?: Instant;
  readonly endedAt?: Instant;
  /** By its time to live, by the history of its schedule, or before it had ended. */
  readonly deletedAt?: Instant;
  /** The first of them, or those of the lowest places, each place whole; the others are counted only. */
  readonly spans: readonly PartSpan[];
}

/** Keeps account of one order. */
export interface Diary {
  readonly began: (name: string, state: PartState, at: Instant) => void;
  readonly ended: (name: string, state: PartState, at: Instant) => void;
  readonly restarted: (name: string) => void;
  readonly stopped: (name: string, at: Instant) => void;
  readonly decided: (at: Instant, work: Work) => void;
  /** The order is gone. */
  readonly gone: (at: Instant) => void;
  readonly close: (until: Instant) => Omit<OrderAccount, 'status'>;
}

type Ending = Pick<OrderAccount, 'state' | 'outcome' | 'reason' | 'detail'>;

function endingOf({ state, outcome: recorded, reason, detail }: Work): Ending {
  const outcome = recorded ?? (state === 'succeeded' || state === 'failed' ? state : undefined);
  return {
    state,
    ...(outcome === undefined ? {} : { outcome }),
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
  };
}

/** How the order ends is known, and some of its parts still have to stop. */
function isStopping({ state, reason }: Work): boolean {
  return state === 'running' && reason !== undefined;
}

export function openDiary(
  subject: Pick<OrderAccount, 'type' | 'key' | 'schedule' | 'made' | 'seen'>,
  room: SpanRoom,
): Diary {
  const counts = { started: 0, succeeded: 0, failed: 0, stopped: 0 };
  const spans = keepSpans(room);
  const places = new Set<number>();
  const open = new Map<string, OpenSpan>();
  const waits = { count: 0, seconds: 0 };
  let restarts = 0;
  let waitsSince: Instant | undefined;
  let standing: Ending = { state: 'pending' };
  let decidedAt: Instant | undefined;
  let endedAt: Instant | undefined;
  let deletedAt: Instant | undefined;

  function end(name: string, how: 'succeeded' | 'failed' | 'stopped', at: Instant): OpenSpan | undefined {
    const span = open.get(name);
    // What was stopped is over in the end, too, and counts once.
    if (span === undefined) return undefined;
    open.delete(name);
    counts[how] += 1;
    span.end = how;
    span.until = at;
    return span;
  }

  function wait(at: Instant, isWaiting: boolean): void {
    if (isWaiting && waitsSince === undefined) {
      waitsSince = at;
      waits.count += 1;
    }
    if (isWaiting || waitsSince === undefined) return;
    waits.seconds += at - waitsSince;
    waitsSince = undefined;
  }

  function ended(name: string, { phase, exitCode, disrupted }: PartState, at: Instant): void {
    if (phase === 'running') return;
    const span = end(name, phase, at);
    if (span === undefined) return;
    if (exitCode !== undefined) span.exitCode = exitCode;
    if (disrupted === true) span.disrupted = true;
  }

  function gone(at: Instant): void {
    for (const name of [...open.keys()]) end(name, 'stopped', at);
    wait(at, false);
    deletedAt ??= at;
    if (standing.outcome === undefined) standing = { state: 'deleted' };
  }

  return {
    began(name, state, at) {
      const { place } = state;
      const span: OpenSpan = {
        name,
        from: at,
        end: 'running',
        restarts: 0,
        ...(place === undefined ? {} : { place }),
      };
      counts.started += 1;
      open.set(name, span);
      if (place !== undefined) places.add(place);
      spans.add(span);
    },
    ended,
    restarted(name) {
      restarts += 1;
      const span = open.get(name);
      if (span !== undefined) span.restarts += 1;
    },
    stopped: (name, at) => {
      end(name, 'stopped', at);
    },
    decided(at, work) {
      wait(at, work.turns?.some(({ reason }) => reason === 'backoff') === true);
      if (standing.outcome !== undefined) return;
      standing = endingOf(work);
      // What is over from the beginning was decided before.
      if (work.state === 'finished') return;
      if (standing.outcome !== undefined) endedAt = at;
      if (endedAt !== undefined || isStopping(work)) decidedAt ??= at;
    },
    gone,
    close(until) {
      wait(until, false);
      return {
        ...subject,
        parts: { ...counts, running: open.size },
        ...(places.size === 0 ? {} : { places: places.size }),
        restarts,
        waits,
        ...standing,
        ...(decidedAt === undefined ? {} : { decidedAt }),
        ...(endedAt === undefined ? {} : { endedAt }),
        ...(deletedAt === undefined ? {} : { deletedAt }),
        spans: spans.all(),
      };
    },
  };
}
