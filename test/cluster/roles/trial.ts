import { EVENT } from '#core/object/resource.ts';
import { runHere } from '#test/cluster/world/command-line.ts';
import type { SentRequests } from '#test/cluster/world/sent.ts';
import type { Account, Pair } from './accounts.ts';
import type { Behaviour } from './behaviour.ts';
import { flagsOf, type Place } from './place.ts';
import { type Requests, requestsOf } from './requests.ts';
import { rightTo } from './rights.ts';
import { type State, stateOf } from './state.ts';

interface Outcome {
  readonly code: number;
  readonly state: State;
  /** What the tick after it writes. */
  readonly again: readonly string[];
}

/** What came of a behaviour that was tried. */
export interface Trial {
  readonly outcome: Outcome;
  /** Of the first tick. */
  readonly requests: Requests;
}

/** A tick, and another one that finds little to do. */
export async function twoTicks(
  { meanwhile }: Behaviour,
  place: Place,
  { account, sent }: { readonly account: Account; readonly sent: SentRequests },
): Promise<Trial> {
  const argv = ['reconcile', ...flagsOf(place, account)];
  await sent.next();
  const { code } = await runHere(argv, meanwhile?.(place));
  const state = await stateOf(place);
  const requests = await requestsOf(sent, account);
  await runHere(argv);
  const { writes } = await requestsOf(sent, account);
  return { outcome: { code, state, again: writes }, requests };
}

export function wanted({ wants, leaves = [] }: Behaviour): Outcome {
  return { code: 0, state: wants, again: leaves };
}

export function accountFor({ managesCronJobs }: Behaviour, { plain, withCronJobs }: Pair): Account {
  return managesCronJobs ? withCronJobs : plain;
}

function isFinalizers(right: string): boolean {
  return right.endsWith('/finalizers');
}

/** The rights beside lists that requests are seen to take: that to finalizers is looked up by the server itself. */
export function visibleNeeds({ needs }: Behaviour): readonly string[] {
  return needs.filter((right) => !right.startsWith('list ') && !isFinalizers(right)).sort();
}

/** What is refused to whoever lacks a right that this behaviour takes. */
export function refusedWithout(right: string, { needs }: Behaviour): readonly string[] {
  if (!isFinalizers(right)) return [right];
  return needs.filter((one) => one.startsWith('create ') && one !== rightTo('create', EVENT));
}
