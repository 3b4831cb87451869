import fc from 'fast-check';
import { instant } from '#core/time/instant.ts';
import { live } from './support/history.ts';
import { someStep } from './support/step.ts';
import { someTimetables } from './support/timetable.ts';

const hs = fc.sample(
  fc.tuple(someTimetables(2, 5), fc.array(someStep(true), { minLength: 500, maxLength: 500, size: 'max' })),
  { numRuns: 4, seed: 5 },
);
process.env['TRACE'] = process.argv[3];
for (const [t, s] of hs) {
  try {
    await live(t, instant(1_781_060_410), s);
  } catch (e) {
    console.log(String(e));
    const k = Number(/tick (\d+)/.exec(String(e))?.[1]);
    console.log(JSON.stringify(s.slice(Math.max(0, k - 6), k + 1), undefined, 0));
    console.log(JSON.stringify(t));
    break;
  }
}
