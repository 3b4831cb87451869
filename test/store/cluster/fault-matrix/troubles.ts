import { type FaultRule, faults } from '#test/support/fault-proxy.ts';

/** Two or three tries, where each of them fails. */
const SHORT_BUDGET_MS = 250;
/** No answer comes before anybody has lost patience. */
const CRAWL = faults.dribble(40, 250);

export interface Trouble extends Omit<FaultRule, 'when'> {
  /** Milliseconds of repeating. */
  readonly retryBudgetMs?: number;
  /** Ends only when the request runs out of time. */
  readonly isEndless?: true;
}

function once(fault: FaultRule['fault']): Trouble {
  return { fault };
}

function stubborn(fault: FaultRule['fault'], repeat: 'same' | 'all' = 'same'): Trouble {
  return { fault, repeat, retryBudgetMs: SHORT_BUDGET_MS };
}

function endless(trouble: Trouble): Trouble {
  return { ...trouble, isEndless: true };
}

/** What may become of a write, in the words of a test. */
export const TROUBLES: Readonly<Record<string, Trouble>> = {
  'is cut off before it arrives': once(faults.cutBefore),
  'is cut off after it arrived': once(faults.cutAfter),
  'is a conflict': once(faults.conflict),
  'is throttled, with seconds': once(faults.tooMany('1')),
  'is throttled, with a date': once(faults.tooMany('Wed, 21 Oct 2015 07:28:00 GMT')),
  'is an internal error': once(faults.serverError(500)),
  'is unavailable': once(faults.serverError(503)),
  'hangs before it arrives': endless(once(faults.hang)),
  'hangs after it arrived': endless(once(faults.hangAfter)),
  'is answered with a page': once(faults.page(200)),
  'arrives and is answered with a page': once(faults.pageAfter(502)),
  'has an answer that is reset': once(faults.reset),
  'has an answer that ends early': once(faults.truncate),
  'has a slow answer': once(faults.dribble(4, 1)),
  'has an answer that is too slow': endless(once(CRAWL)),
  'never gets through': stubborn(faults.cutBefore),
  'gets through and its answer never': stubborn(faults.cutAfter),
  'is throttled every time': stubborn(faults.tooMany('1')),
  'is an internal error every time': stubborn(faults.serverError(500)),
  'is answered with a page every time': stubborn(faults.page(200)),
  'has an answer that is reset every time': stubborn(faults.reset),
  'hangs every time': endless(stubborn(faults.hangAfter)),
  'is the first that does not get through, nor does any other': stubborn(faults.cutBefore, 'all'),
  'is the last that gets through, without an answer': stubborn(faults.cutAfter, 'all'),
};
