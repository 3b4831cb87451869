import type { KubeObject } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';

/**
 * `unknown` is a phase that this build does not know: such a run blocks and is never deleted · `inert` is one that is
 * neither at work nor a result: a row of a catalogue, or what is being cleaned up.
 */
export type RunPhase = 'pending' | 'running' | 'succeeded' | 'failed' | 'inert' | 'unknown';

/** A run of one schedule, read from the object that stands for it. */
export interface Run {
  readonly object: KubeObject;
  readonly phase: RunPhase;
  /** The phase as its own API spells it; empty when nobody has looked at the run yet. */
  readonly phaseText: string;
  readonly terminating: boolean;
  /** Made by a person: known to the history, neither holds nor is replaced. */
  readonly manual: boolean;
  /** Controlled by the schedule but without its kind's label: it holds a slot, and counts for nothing else. */
  readonly stray?: true;
  /** Waits for room at what it works on: cancelling it would free none. */
  readonly parked?: true;
  /** Has left something behind that history must not take away. */
  readonly kept?: true;
  readonly createdAt?: Instant;
  readonly slot?: Instant;
  readonly finishedAt?: Instant;
  /** What the history sorts by; runs without it count as the youngest. */
  readonly historyTime?: Instant;
  /** When the run asks to be removed after its end. */
  readonly removeAt?: Instant;
}

export function isFinished(run: Run): boolean {
  switch (run.phase) {
    case 'succeeded':
    case 'failed':
    case 'inert':
      return true;
    case 'pending':
    case 'running':
    case 'unknown':
      return false;
  }
}
