import { reconcile } from '#core/reconcile.ts';
import { KINDS } from '#kinds/index.ts';
import { IDLE_NOW, idleWorldText, observedFrom } from './idle-world.ts';
import type { Measurement, Section } from './section.ts';

const SIZES = [1000, 10_000, 100_000];
const SETTINGS = {
  graceSeconds: 90,
  defaultTimeZone: 'UTC',
  writers: { 'cron-job': 'manage' },
  retention: {},
} as const;

/** Parses and decides the same world in turn, so that both see the same state of the machine. */
function measure(schedules: number, runs: number): readonly Measurement[] {
  const text = idleWorldText(schedules);
  const parsing: number[] = [];
  const deciding: number[] = [];
  for (let run = 0; run < runs + 2; run++) {
    const start = performance.now();
    const lists = JSON.parse(text);
    const parsed = performance.now();
    const { changeSet } = reconcile({
      observed: observedFrom(lists),
      kinds: KINDS,
      settings: SETTINGS,
      now: IDLE_NOW,
    });
    const decided = performance.now();
    if (changeSet.counts.verdicts.waiting !== schedules) throw new Error('the idle world is not idle');
    if (run < 2) continue;
    parsing.push(parsed - start);
    deciding.push(decided - parsed);
  }
  const scenario = `${schedules} schedules, nothing due`;
  const note = `${(text.length / 1e6).toFixed(1)} MB`;
  return [
    { scenario, subject: 'JSON.parse', runs: parsing, items: schedules, note },
    { scenario, subject: 'reconcile', runs: deciding, items: schedules },
  ];
}

/** What a decision costs beside reading the same objects, and how it grows. */
export const reconcileSection: Section = {
  name: 'reconcile',
  run: async () => SIZES.flatMap((schedules) => measure(schedules, schedules > 50_000 ? 5 : 11)),
};
