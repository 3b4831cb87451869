import { deletedBy, type ScheduleChanges, type WorkChanges } from '#core/change/change-set.ts';
import { type KnownEvents, untoldEvents } from '#core/change/event.ts';
import { preconditionOf } from '#core/change/precondition.ts';
import type { WorkChange } from '#core/change/work-change.ts';
import type { Settings } from '#core/kind.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { narrowed, type Observed, typeId } from '#core/observed.ts';
import type { Referents } from '#core/referents.ts';
import type {
  Driver,
  DriverInput,
  Live,
  RenderTemplate,
  Work,
  WorkState,
  WorkStep,
} from '#core/run/driver.ts';
import type { Instant } from '#core/time/instant.ts';

/** What drivers decide from. */
export interface WorksInput {
  readonly observed: Observed;
  readonly referents: Referents;
  readonly settings: Settings;
  readonly now: Instant;
  readonly drivers?: readonly Driver[];
  readonly live?: Live;
  readonly render?: RenderTemplate;
  /** Which orders are acted on; all if it is left out. What orders point to is looked at all the same. */
  readonly isSelected?: (object: KubeObject) => boolean;
}

/** One order with the driver that answers for it. */
export interface DrivenWork {
  readonly driver: Driver;
  readonly work: Work;
}

const NOT_READ = 'it was not read';

/** Where nothing beside the lists was read. */
export const NOTHING_LIVE: Live = {
  object: () => ({ state: 'failed', reason: NOT_READ }),
  labelled: () => ({ state: 'unreadable', reason: NOT_READ }),
};

/** What one driver sees: the orders that are selected, and everything else. */
export function driverInput(input: WorksInput, driver: Driver): DriverInput {
  const { observed, referents, settings, now, isSelected } = input;
  if (isSelected === undefined) return { observed, referents, settings, now };
  const orders = new Set(driver.orders.map(typeId));
  const seen = new Map(
    [...observed].map(([id, listing]) => [id, orders.has(id) ? narrowed(listing, isSelected) : listing]),
  );
  return { observed: seen, referents, settings, now };
}

/** All orders of all drivers. */
export function decideWorks(input: WorksInput): readonly DrivenWork[] {
  const { drivers = [], live = NOTHING_LIVE, render } = input;
  return drivers.flatMap((driver) => {
    const seen = { ...driverInput(input, driver), live };
    const works = driver.works(render === undefined ? seen : { ...seen, render });
    return works.map((work) => ({ driver, work }));
  });
}

/**
 * Nothing is done for an order that its schedule deletes in the same tick: to make room, or because its time is over.
 * Drivers decide from what was read, and there it still is.
 */
export function withoutDeleted(
  driven: readonly DrivenWork[],
  owners: readonly Pick<ScheduleChanges, 'changes'>[],
): readonly DrivenWork[] {
  const deleted = deletedBy(owners);
  if (deleted.size === 0) return driven;
  return driven.map((one) => {
    const { type, source, facts } = one.work;
    if (!deleted.has(keyId(keyOf(source.object)))) return one;
    const detail = 'its schedule deletes it';
    const work: Work = {
      type,
      source,
      state: 'deleting',
      detail,
      steps: [],
      events: [],
      findings: [],
      facts,
    };
    return { ...one, work };
  });
}

/** Whether a tick says anything of an order: one that is over, or another driver's, is passed over in silence. */
export function isTold({ state, steps }: Work): boolean {
  if (steps.length > 0) return true;
  switch (state) {
    case 'foreign':
    case 'finished':
    case 'deleting':
      return false;
    case 'pending':
    case 'waiting':
    case 'started':
    case 'running':
    case 'suspended':
    case 'succeeded':
    case 'failed':
    case 'releasing':
    case 'unreadable':
    case 'invalid':
    case 'observed':
      return true;
  }
}

/** By what an order is counted: one that failed stays so, whenever that was. */
export function countedState({ outcome }: Work, state: WorkState): WorkState {
  return state === 'finished' && outcome === 'failed' ? 'failed' : state;
}

/** Orders of which a tick says nothing any more, and that are counted all the same. */
export function countFailedEarlier(driven: readonly DrivenWork[]): number {
  return driven.filter(({ work }) => !isTold(work) && countedState(work, work.state) === 'failed').length;
}

function changeOf(step: WorkStep, work: Work): WorkChange {
  if (step.verb !== 'release') return step.change;
  const { object } = work.source;
  return {
    verb: 'release',
    type: work.type,
    key: keyOf(object),
    reason: 'FinalizerDone',
    precondition: preconditionOf(object),
    finalizers: step.finalizers,
  };
}

/** The order as data: its steps in their order, then the events that are not told yet. */
export function workChanges({ driver, work }: DrivenWork, known: KnownEvents, now: Instant): WorkChanges {
  const { object } = work.source;
  const { uid = '', resourceVersion = '' } = object.metadata;
  const events = untoldEvents(object, work.events, known, now);
  return {
    type: work.type,
    key: keyOf(object),
    uid,
    resourceVersion,
    driver: driver.id,
    state: work.state,
    ...(work.reason === undefined ? {} : { reason: work.reason }),
    ...(work.detail === undefined ? {} : { detail: work.detail }),
    changes: [...work.steps.map((step) => changeOf(step, work)), ...events],
  };
}
