import type { BeforeWrite } from '#test/cluster/world/command-line.ts';
import type { Place } from './place.ts';
import type { State } from './state.ts';

/** One thing that a tick does, small enough to see which rights it takes. */
export interface Behaviour {
  /** As the end of a sentence about the account. */
  readonly does: string;
  /** The configuration says `cronJob: manage`. */
  readonly managesCronJobs?: true;
  /** Every right that it takes; of the lists, which every tick asks for, those that it is about. */
  readonly needs: readonly string[];
  readonly plant: (place: Place) => Promise<void>;
  /** What others do between two writes of the tick. */
  readonly meanwhile?: (place: Place) => BeforeWrite;
  readonly wants: State;
  /** Rights of the writes that are left for the next tick; none if left out. */
  readonly leaves?: readonly string[];
}
