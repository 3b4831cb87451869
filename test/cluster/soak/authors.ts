import type { Timetable as SnapshotTimetable } from '#test/properties/support/snapshot/objects.ts';
import type { Timetable } from '#test/properties/support/timetable.ts';
import type { PlanTimetable } from './books/plan.ts';
import type { Cell } from './books/snapshots.ts';
import type { Dice } from './dice.ts';

/** What the authors of a cluster mean; one entry of each list is one book. */
export interface Authors {
  readonly minutely: readonly { readonly timetable: Timetable; readonly isValid: boolean }[];
  readonly plans: readonly PlanTimetable[];
  readonly cells: readonly Cell[];
}

export interface Wish {
  /** Of all four kinds together. */
  readonly schedules: number;
  /** How many of a hundred schedules are due in every minute. */
  readonly minutely: number;
}

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Asia/Kolkata',
] as const;
const NAMESPACES = Array.from({ length: 12 }, (_, index) => `soak-${index}`);
const SPREAD = Array.from({ length: 12 }, (_, index) => index * 5);

export const namespaces: readonly string[] = NAMESPACES;

/** Five fields, without anything that only one kind can read. */
export const EXPRESSIONS: readonly string[] = [
  '*/5 * * * *',
  '3-59/7 * * * *',
  '15,45 * * * *',
  ...SPREAD.map((minute) => `${minute} * * * *`),
  ...SPREAD.map((minute) => `${minute + 2} */2 * * *`),
  '30 2 * * *',
  '0 3 * * *',
  '30 1 * * *',
  '0 0 * * 1-5',
];
/** The same with what a SnapshotSchedule reads beside it. */
export const CRONS: readonly string[] = [
  ...EXPRESSIONS,
  'H * * * *',
  'H H * * *',
  'H */3 * * *',
  '0 2 * * 7',
];

/** Five fields, as definitions ask for, and no date all the same. */
const BAD = ['0 0 30 2 *', '61 * * * *', '0 25 * * *'] as const;

function numbered(prefix: string, index: number): string {
  return `${prefix}-${String(index).padStart(4, '0')}`;
}

function expressionOf(dice: Dice, { minutely }: Wish, expressions = EXPRESSIONS): string {
  return dice.chance(minutely / 100) ? '* * * * *' : dice.pick(expressions);
}

function zoneOf(dice: Dice): string | undefined {
  return dice.chance(0.5) ? dice.pick(ZONES) : undefined;
}

function timetableOf(
  kind: Timetable['kind'],
  index: number,
  dice: Dice,
  wish: Wish,
): Authors['minutely'][number] {
  const isJob = kind === 'CronJob';
  // The API itself refuses a CronJob that cannot be read.
  const isValid = isJob || !dice.chance(0.03);
  const timetable: Timetable = {
    kind,
    namespace: dice.pick(NAMESPACES),
    name: numbered(isJob ? 'cron' : 'defrag', index),
    expression: isValid ? expressionOf(dice, wish) : dice.pick(BAD),
    zone: zoneOf(dice),
    deadline: dice.pick([undefined, undefined, 0, 120, 600, 3600]),
    concurrency: dice.pick(isJob ? ['Allow', 'Forbid', 'Forbid', 'Replace'] : ['Allow', 'Forbid']),
    suspend: dice.chance(0.08),
    // Without a limit the history would grow as long as the test lasts.
    limit: dice.pick(isJob ? [undefined, 0, 1, 2] : [0, 1, 2, 3]),
    failedLimit: isJob ? dice.pick([undefined, 0, 1, 2]) : undefined,
    ttl: dice.chance(0.2) ? dice.pick([300, 3600]) : undefined,
  };
  return { timetable, isValid };
}

function planOf(index: number, dice: Dice, wish: Wish): PlanTimetable {
  const isValid = !dice.chance(0.03);
  return {
    namespace: dice.pick(NAMESPACES),
    name: numbered('plan', index),
    when: {
      expression: isValid ? expressionOf(dice, wish) : dice.pick(BAD),
      zone: zoneOf(dice) ?? 'UTC',
    },
    isValid,
  };
}

interface CellWish {
  readonly index: number;
  readonly schedules: number;
}

function snapshotTimetable(name: string, dice: Dice, wish: Wish): Omit<SnapshotTimetable, 'aim'> {
  return {
    name,
    cron: expressionOf(dice, wish, CRONS),
    zone: zoneOf(dice),
    jitter: dice.chance(0.3) ? dice.pick(['0', '3m', '20m', '1h']) : undefined,
    runOnCreate: dice.chance(0.1),
    suspend: dice.chance(0.08),
    concurrency: dice.pick(['Allow', 'Forbid', undefined, 'Replace'] as const),
    deadline: dice.pick([undefined, undefined, 120, 600, 3600]),
    failedLimit: dice.pick([0, 1, 2]),
  };
}

/**
 * What one schedule replaces makes room for another that shares its policy, and whether that happens in the same minute
 * depends on how many ticks died in it: schedules that share a policy replace nothing.
 */
function neverReplaces(timetable: SnapshotTimetable): SnapshotTimetable {
  return timetable.concurrency === 'Replace' ? { ...timetable, concurrency: 'Forbid' } : timetable;
}

/** One schedule with a policy, two that share one, or one that selects two; some with two repositories. */
function cellOf({ index, schedules }: CellWish, dice: Dice, wish: Wish): Cell {
  const selects = schedules === 1 && dice.chance(0.3);
  const tier = numbered('tier', index);
  const policies = selects ? [`${tier}-a`, `${tier}-b`] : [numbered('policy', index)];
  const repositories = dice.chance(0.2)
    ? [numbered('near', index), numbered('far', index)]
    : [numbered('near', index)];
  const defaults = {
    zone: dice.chance(0.3) ? dice.pick(ZONES) : undefined,
    jitter: dice.chance(0.3) ? dice.pick(['3m', '20m']) : undefined,
  };
  const recipe = {
    tier: selects ? tier : undefined,
    suspend: false,
    repositories,
    source: { claim: 'data' },
    keep: 1 + dice.below(2),
  };
  const isValid = !dice.chance(0.02);
  const timetables = Array.from({ length: schedules }, (_, number): SnapshotTimetable => {
    const timetable: SnapshotTimetable = {
      ...snapshotTimetable(numbered(`snap-${number}`, index), dice, wish),
      aim: selects ? { tier } : { policy: policies[0] ?? '' },
    };
    const alone = schedules === 1 ? timetable : neverReplaces(timetable);
    return isValid ? alone : { ...alone, cron: dice.pick(BAD) };
  });
  return {
    timetables,
    recipes: new Map(policies.map((policy) => [policy, recipe])),
    defaults: new Map(repositories.map((repository) => [repository, defaults])),
    isValid,
  };
}

function cells(count: number, dice: Dice, wish: Wish): readonly Cell[] {
  const made: Cell[] = [];
  for (let left = count; left > 0; ) {
    const schedules = left > 1 && dice.chance(0.25) ? 2 : 1;
    made.push(cellOf({ index: made.length, schedules }, dice, wish));
    left -= schedules;
  }
  return made;
}

export function drawAuthors(dice: Dice, wish: Wish): Authors {
  const share = (part: number): number => Math.round(wish.schedules * part);
  const jobs = share(0.3);
  const policies = share(0.3);
  const plans = share(0.15);
  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));
  return {
    minutely: [
      ...many(jobs, (index) => timetableOf('CronJob', index, dice, wish)),
      ...many(policies, (index) => timetableOf('EtcdDefragPolicy', index, dice, wish)),
    ],
    plans: many(plans, (index) => planOf(index, dice, wish)),
    cells: cells(wish.schedules - jobs - policies - plans, dice, wish),
  };
}
