import { type ObjectDocument, toObjectDocument } from '#core/change/change-document.ts';
import { keyOf } from '#core/object/key.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import type { WorkFact, WorkState } from '#core/run/driver.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import type { DrivenWork } from '#core/works.ts';

/** The published form of where an order of a driver stands. */
export interface OrderDocument extends ObjectDocument {
  readonly formatVersion: 1;
  readonly now: string;
  readonly driver: string;
  readonly state: WorkState;
  /** Of one that is finished: how it ended. */
  readonly outcome?: 'succeeded' | 'failed';
  readonly reason?: string;
  readonly detail?: string;
  readonly facts: readonly WorkFact[];
}

export function toOrderDocument({ driver, work }: DrivenWork, now: Instant): OrderDocument {
  const { type, source, state, outcome, reason, detail, facts } = work;
  return {
    formatVersion: 1,
    ...toObjectDocument(apiVersionOf(type), keyOf(source.object)),
    now: formatInstant(now),
    driver: driver.id,
    state,
    ...(outcome === undefined ? {} : { outcome }),
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
    facts,
  };
}
