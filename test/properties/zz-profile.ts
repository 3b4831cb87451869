import fc from 'fast-check';
import { instant } from '#core/time/instant.ts';
import { live } from './support/history.ts';
import { someStep } from './support/step.ts';
import { someTimetables } from './support/timetable.ts';

const hs = fc.sample(
  fc.tuple(someTimetables(2, 5), fc.array(someStep(true), { minLength: 500, maxLength: 500, size: 'max' })),
  { numRuns: 4, seed: 5 },
);
for (const [t, s] of hs) {
  const a = performance.now();
  const r = await live(t, instant(1_781_060_410), s);
  console.log(t.length, r, Math.round(performance.now() - a), 'ms');
}
