import type { Schedule, Settings } from '#core/kind.ts';
import { typeId } from '#core/observed.ts';
import { isFinished, type Run } from '#core/run/phase.ts';
import type { Entry } from '#core/settle.ts';
import type { Course } from './course.ts';

/** Names tell the slots of a schedule apart to the minute: a slot of the next one may still want this name. */
const MINUTE = 60;

function isSpent({ schedule }: Entry, run: Run, { maxDeletes }: Settings): boolean {
  return (
    isFinished(run) &&
    !run.terminating &&
    run.slot !== undefined &&
    run.slot <= schedule.anchor - MINUTE &&
    // That a limit or the end of its time to live takes it away leaves less room for other deletes only where there is a budget.
    (maxDeletes === undefined || (run.removeAt === undefined && !isLimited(schedule, run)))
  );
}

function isLimited({ history }: Schedule, { phase }: Run): boolean {
  return history.some(({ phases }) => phases.some((one) => one === phase));
}

/**
 * Takes runs away that ended and whose slots are settled and told of, once a tick has written what follows from them:
 * nothing that is decided looks at them again. Otherwise runs that are kept for long would be read in every tick. Those
 * that are carried out by parts stay: when they are deleted is told.
 */
export function forgetSpent(
  { world, input, orders }: Pick<Course, 'world' | 'input' | 'orders'>,
  entry: Entry,
): void {
  const { kind, schedule, runs } = entry;
  const spent = runs.filter(
    (run) => isSpent(entry, run, input.settings) && orders?.plays(run.object) !== true,
  );
  if (spent.length === 0) return;
  const isJudged = schedule.judged(runs);
  for (const run of spent) if (isJudged(run)) world.forget(run.object, typeId(kind.run));
}
