import type { ScheduleChanges } from '#core/change/change-set.ts';
import { timingOf } from '#core/entry-timing.ts';
import { keyId } from '#core/object/key.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import { formatDuration } from '#core/time/duration.ts';
import type { Zone } from '#core/time/zone.ts';
import { idleText, isIdle } from '#render/idle-text.ts';
import { utcText } from '#render/moment-text.ts';
import { retentionText, scheduleText, workText } from '#render/schedule-text.ts';
import { summaryText } from '#render/summary-text.ts';
import type { TextOptions } from '#render/text-options.ts';
import type { UnreadOptions } from '#render/unread-text.ts';

/** What a plan is told from: the change set, the zone of each schedule, and all orders. */
export type PlanView = Pick<Reconciliation, 'changeSet' | 'entries' | 'works'>;

export interface PlanTextOptions extends TextOptions, UnreadOptions {
  /** More schedules than this with nothing to do become a count. */
  readonly idleLimit?: number;
}

const IDLE_LIMIT = 20;

export function zoneOf({ entries }: PlanView, { key }: ScheduleChanges): Zone | undefined {
  const decision = entries.get(keyId(key))?.decision;
  return timingOf(decision)?.zone;
}

/** A change set for a person: what happens to each schedule and why, then the sums. Ends with a line break. */
export function planText(plan: PlanView, options: PlanTextOptions): string {
  const { changeSet } = plan;
  const { now, graceSeconds, schedules, retention, works } = changeSet;
  const heading = options.palette.strong(`Plan for ${utcText(now)}`);
  const active = schedules.filter((schedule) => !isIdle(schedule));
  const blocks = active.map((schedule) =>
    scheduleText(schedule, { now, zone: zoneOf(plan, schedule) }, options),
  );
  const idle = schedules
    .filter(isIdle)
    .map((schedule) => ({ schedule, view: { now, zone: zoneOf(plan, schedule) } }));
  const rest = idle.length === 0 ? [] : [idleText(idle, options.idleLimit ?? IDLE_LIMIT, options)];
  const parts = [
    `${heading}, grace ${formatDuration(graceSeconds)}`,
    ...blocks,
    ...retention.map((one) => retentionText(one, options)),
    ...works.map((work) => workText(work, options)),
    ...rest,
    summaryText(plan, options),
  ];
  return `${parts.join('\n\n')}\n`;
}
