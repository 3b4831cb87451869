import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Contestant, croner, cronParser, ours } from './contestants.ts';
import { askRobfig } from './robfig.ts';
import { SCENARIOS, type Schedule, schedules } from './schedules.ts';
import { type Measurement, type Section, worked } from './section.ts';

const COUNT = 10_000;
const clock = 'cpu';
const COLD = fileURLToPath(new URL('./slot-cold.ts', import.meta.url));

/** Latest due and next slot of ten thousand distinct schedules, everything from text, on one thread. */
export const slotSection: Section = {
  name: 'slot',
  run: async (say) => {
    const scenarios = Object.entries(SCENARIOS).map(([name, zones]) => ({
      name,
      list: schedules(COUNT, zones),
    }));
    const robfig = askRobfig(
      scenarios.map(({ list }) => ({
        runs: 7,
        schedules: list.map((one) => ({ ...one, anchor: anchorOf(one) })),
      })),
    );
    if (typeof robfig === 'string') say(`robfig/cron is left out: ${robfig}`);
    return scenarios.flatMap(({ name, list }, index) => [
      ...measureOurs(name, list),
      ...[cronParser, croner].map((library) => measureLibrary(name, library, list)),
      ...(typeof robfig === 'string' ? [] : robfigRows(name, robfig[index])),
    ]);
  },
};

/** One second before the slot that is owed. */
function anchorOf(schedule: Schedule): number {
  return (ours.answer(schedule)[0] ?? 1) - 1;
}

function measureOurs(scenario: string, list: readonly Schedule[]): Measurement[] {
  const runs = worked(15, 5, () => {
    for (const schedule of list) ours.answer(schedule);
  });
  const cold = Array.from({ length: 7 }, () =>
    Number(execFileSync(process.execPath, [COLD, scenario], { encoding: 'utf8' })),
  );
  return [
    { scenario, subject: 'minutehand, warm', runs, clock, items: list.length },
    {
      scenario,
      subject: 'minutehand, cold',
      runs: cold,
      clock,
      items: list.length,
      note: 'tables of zones built in the run',
    },
  ];
}

/** A library gets the rows that it reads as Kubernetes does; the others are counted. */
function measureLibrary(scenario: string, library: Contestant, list: readonly Schedule[]): Measurement {
  let refused = 0;
  let other = 0;
  const able = list.filter((schedule) => {
    try {
      const [latest, next] = library.answer(schedule);
      const [ourLatest, ourNext] = ours.answer(schedule);
      if (latest === ourLatest && next === ourNext) return true;
      other++;
    } catch {
      refused++;
    }
    return false;
  });
  const runs = worked(3, 0, () => {
    for (const schedule of able) library.answer(schedule);
  });
  const note = `${refused} rows refused, ${other} answered otherwise`;
  return { scenario, subject: library.name, runs, clock, items: able.length, note };
}

function robfigRows(
  scenario: string,
  answer: Exclude<ReturnType<typeof askRobfig>, string>[number] | undefined,
): Measurement[] {
  if (answer === undefined) return [];
  const items = COUNT - answer.refused;
  const note = `no backwards search: two steps from an anchor; ${answer.refused} rows refused`;
  return [
    { scenario, subject: 'robfig/cron, as Kubernetes', runs: answer.perParse, clock, items, note },
    { scenario, subject: 'robfig/cron, zones shared', runs: answer.shared, clock, items, note },
  ];
}
