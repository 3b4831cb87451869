import { idleCountText, isQuiet } from '#render/idle-text.ts';
import { type PlanView, zoneOf } from '#render/plan-text.ts';

/** The one line of a tick with nothing to write and nothing new to look into; undefined if there is something. */
export function quietText(plan: PlanView): string | undefined {
  const { schedules, retention, works, now } = plan.changeSet;
  // An order that waits or runs was told when it came to that.
  if (works.some(({ changes }) => changes.length > 0)) return undefined;
  if (schedules.length === 0 || retention.length > 0 || !schedules.every(isQuiet)) return undefined;
  const idle = schedules.map((schedule) => ({ schedule, view: { now, zone: zoneOf(plan, schedule) } }));
  return `${idleCountText(idle).replaceAll('\n', ' ')}\n`;
}
