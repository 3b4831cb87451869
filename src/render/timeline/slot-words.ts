import type { RunPhase } from '#core/run/phase.ts';
import type { SlotCode } from '#core/timeline/slots.ts';
import type { Tone } from '#render/palette.ts';

/** How a fate is shown: by a letter, a word and a tone, so that nothing hangs on colour alone. */
export interface SlotLook {
  /** Names the look in style sheets. */
  readonly id: string;
  readonly letter: string;
  readonly label: string;
  readonly tone: Tone;
  /** Which of several in one place is shown: the higher. */
  readonly weight: number;
}

function look(id: string, letter: string, label: string, tone: Tone, weight: number): SlotLook {
  return { id, letter, label, tone, weight };
}

const FORETOLD = look('foretold', 'o', 'to come', 'accent', 1);
const OBSERVED = look('observed', 'b', 'to come, somebody else acts on it', 'accent', 1);
const SUSPENDED = look('suspended', 'P', 'suspended', 'faint', 2);
const SETTLED = look('settled', '-', 'passed, no run is left', 'faint', 0);
const RAN = look('ran', 'R', 'ran', 'good', 3);
const WORKS = look('works', 'W', 'at work', 'good', 4);
const ENDED = look('ended-badly', 'X', 'its run failed', 'bad', 9);
const FIRED = look('fired', 'F', 'fires now', 'good', 5);
const EMPTY = look('empty', 'N', 'nothing to start', 'warning', 5);
const HELD = look('held', 'H', 'held', 'warning', 6);
const EXPIRED = look('expired', 'E', 'expired', 'warning', 7);
const SUPERSEDED = look('superseded', 'S', 'superseded', 'warning', 5);
const DEFERRED = look('deferred', 'D', 'deferred', 'warning', 6);
const CONFLICT = look('conflict', 'C', 'its name is taken', 'bad', 8);
const BLOCKED = look('blocked', 'U', 'cannot be started', 'bad', 8);

/** In the order of a legend. */
export const LOOKS: readonly SlotLook[] = [
  FORETOLD,
  OBSERVED,
  SUSPENDED,
  RAN,
  WORKS,
  ENDED,
  FIRED,
  HELD,
  EXPIRED,
  SUPERSEDED,
  DEFERRED,
  EMPTY,
  CONFLICT,
  BLOCKED,
  SETTLED,
];

function ranLook(phase: RunPhase | undefined): SlotLook {
  switch (phase) {
    case 'failed':
      return ENDED;
    case 'pending':
    case 'running':
    case 'unknown':
      return WORKS;
    case 'succeeded':
    case 'inert':
    case undefined:
      return RAN;
  }
}

export function lookOf(code: SlotCode, phase?: RunPhase): SlotLook {
  switch (code) {
    case 'foretold':
      return FORETOLD;
    case 'observed':
      return OBSERVED;
    case 'suspended':
      return SUSPENDED;
    case 'settled':
    case 'waiting':
      return SETTLED;
    case 'ran':
      return ranLook(phase);
    case 'fired':
      return FIRED;
    case 'empty':
      return EMPTY;
    case 'held':
      return HELD;
    case 'expired':
      return EXPIRED;
    case 'superseded':
      return SUPERSEDED;
    case 'deferred':
    case 'failed':
      return DEFERRED;
    case 'conflict':
      return CONFLICT;
    case 'invalid':
    case 'unreadable':
    case 'deleting':
      return BLOCKED;
  }
}

/** Of slots that are shown in one place. */
export function heaviest(looks: readonly SlotLook[]): SlotLook {
  return looks.reduce((best, one) => (one.weight > best.weight ? one : best), looks[0] ?? SETTLED);
}
