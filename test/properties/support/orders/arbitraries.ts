import fc from 'fast-check';
import { someStart } from '#test/properties/support/snapshot/grown-world.ts';
import { someTimetables } from '#test/properties/support/timetable.ts';
import type { OrderHistory } from './history.ts';
import { CLASSES } from './objects.ts';
import { someClass, someStep } from './step.ts';

/** Plans beside CronJobs, whose runs are Jobs like those of the driver. */
const KINDS = ['Plan', 'Plan', 'Plan', 'CronJob'] as const;

const someBeginning = fc.record({
  timetables: someTimetables(2, 5, KINDS),
  classes: fc.record(Object.fromEntries(CLASSES.map((name) => [name, someClass]))),
});

/** @param rests one history in that many ends with a rest */
export function someOrderHistory(
  troubled: boolean,
  ticks: number,
  rests: number,
): fc.Arbitrary<OrderHistory> {
  return fc.record({
    beginning: someBeginning,
    deadline: fc.constantFrom(undefined, undefined, 30, 300, 3600),
    start: someStart,
    steps: fc.array(someStep(troubled), { minLength: ticks, maxLength: ticks }),
    rests: fc.nat({ max: rests - 1 }).map((die) => die === 0),
  });
}
