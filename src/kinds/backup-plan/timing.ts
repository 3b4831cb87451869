import type { TimingProblem } from '#core/slot/timing.ts';
import type { TimingSource } from '#core/timing-source.ts';
import type { PlanSchedule } from './schema.ts';

const CRON_PATH = ['spec', 'schedule', 'cron'];
const TYPE_PATH = ['spec', 'schedule', 'type'];
const SHOWN = 60;

function typeProblem(type: string): TimingProblem {
  return {
    code: 'InvalidSchedule',
    text: type,
    what: `spec.schedule.type is ${JSON.stringify(type.slice(0, SHOWN))}`,
    why: 'a Plan knows no other type than cron',
    fix: 'write cron, or remove the field, and say when in spec.schedule.cron',
  };
}

function noCron(): TimingProblem {
  return {
    code: 'InvalidSchedule',
    text: '',
    what: 'spec.schedule.cron is missing or empty',
    why: 'nothing else says when a backup is due',
    fix: 'write five fields, such as 0 3 * * *',
  };
}

/** Empty and absent are the same as the only type that there is. */
export function isCronType({ type = '' }: PlanSchedule): boolean {
  return type === '' || type === 'cron';
}

/** Five fields or a shortcut such as `@daily`, with an optional `CRON_TZ=` prefix, else UTC (backups.md decision 5). */
export function timingOf(schedule: PlanSchedule): TimingSource {
  const { type = '', cron = '' } = schedule;
  const source = { expression: cron, dialect: 'plan', zone: 'UTC' } as const;
  if (!isCronType(schedule))
    return { ...source, expressionPath: TYPE_PATH, zonePath: TYPE_PATH, refused: typeProblem(type) };
  const timing = { ...source, expressionPath: CRON_PATH, zonePath: CRON_PATH };
  return cron === '' ? { ...timing, refused: noCron() } : timing;
}
