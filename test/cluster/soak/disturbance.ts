import {
  type Fault,
  type FaultRule,
  faults,
  isNextPage,
  type ProxiedRequest,
} from '#test/support/fault-proxy.ts';
import type { Dice } from './dice.ts';

/** What may befall a request, and how often beside the others. */
const WRITES = {
  'cut before': 4,
  'answer lost': 6,
  'too many': 1,
  '500': 2,
  '503': 2,
  'page of a gateway': 1,
  'answer is a page': 3,
  'half an answer': 2,
  conflict: 1,
  slow: 3,
  hang: 1,
} as const;

const LISTS = {
  'cut before': 4,
  'too many': 1,
  '500': 2,
  '503': 2,
  'page of a gateway': 1,
  'half an answer': 4,
  'short answer': 3,
  slow: 4,
  hang: 1,
} as const;

export type FaultName = keyof typeof WRITES | keyof typeof LISTS | 'expired';

const FAULTS: Readonly<Record<FaultName, Fault>> = {
  'cut before': faults.cutBefore,
  'answer lost': faults.cutAfter,
  'too many': faults.tooMany('1'),
  '500': faults.serverError(500),
  '503': faults.serverError(503),
  'page of a gateway': faults.page(502),
  'answer is a page': faults.pageAfter(502),
  'half an answer': faults.reset,
  'short answer': faults.truncate,
  conflict: faults.conflict,
  slow: faults.dribble(4, 30),
  hang: faults.hangAfter,
  expired: faults.expired,
};

function choose(request: ProxiedRequest, dice: Dice, canHang: boolean): FaultName {
  if (isNextPage(request) && dice.chance(0.5)) return 'expired';
  const name = request.write > 0 ? dice.weighed(WRITES) : dice.weighed(LISTS);
  return name === 'hang' && !canHang ? 'slow' : name;
}

export interface Disturbance {
  readonly rules: readonly FaultRule[];
  /** How often each was met. */
  readonly met: ReadonlyMap<FaultName, number>;
}

/**
 * Every request meets a fault with this probability.
 * @param canHang somebody ends a process that waits for ever
 */
export function disturb(dice: Dice, probability: number, canHang: boolean): Disturbance {
  const met = new Map<FaultName, number>();
  let asked = 0;
  let chosen: FaultName | undefined;
  // Each rule is asked about a request in turn; the dice are thrown once for all of them.
  const isMet = (request: ProxiedRequest, name: FaultName): boolean => {
    if (request.nth !== asked) {
      asked = request.nth;
      chosen = dice.chance(probability) ? choose(request, dice, canHang) : undefined;
      if (chosen !== undefined) met.set(chosen, (met.get(chosen) ?? 0) + 1);
    }
    return chosen === name;
  };
  const names = Object.keys(FAULTS) as FaultName[];
  return {
    met,
    rules: names.map((name) => ({
      when: (request) => isMet(request, name),
      fault: FAULTS[name],
      repeat: 'each',
    })),
  };
}
