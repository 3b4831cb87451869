import type { JsonObject } from '#core/object/object.ts';
import { cronJob, policy } from '#test/cli/manifests.ts';

const EXPRESSIONS = [
  '0 3 * * *',
  '*/5 * * * *',
  '15 */2 * * *',
  '0 9-17 * * 1-5',
  '30 2 * * *',
  '0 4 1 * *',
  '* * * * *',
  '0 */6 * * *',
  '20 5 * * 0',
  '7,37 * * * *',
];
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC'];

/** Schedules as a cluster has them: nightly, every few minutes, every minute, some suspended, some that cannot be read. */
export function mixedSchedules(count: number): readonly JsonObject[] {
  return [...Array(count).keys()].map((index) => {
    const schedule = EXPRESSIONS[index % EXPRESSIONS.length] ?? '@daily';
    const name = `schedule-${String(index).padStart(3, '0')}`;
    if (index % 3 === 0) return policy(name, { spec: { schedule } });
    const broken = index % 47 === 46 ? { schedule: '61 * * * *' } : {};
    const suspended = index % 23 === 22 ? { suspend: true } : {};
    const timeZone = ZONES[index % ZONES.length] ?? 'UTC';
    return cronJob(name, { spec: { schedule, timeZone, ...suspended, ...broken } });
  });
}
