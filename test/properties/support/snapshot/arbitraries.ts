import fc from 'fast-check';
import type { Defaults, Recipe, Timetable } from './objects.ts';

const OFTEN = [
  '* * * * *',
  '*/2 * * * *',
  '*/5 * * * *',
  '3-59/7 * * * *',
  '15,45 * * * *',
  'H * * * *',
] as const;
const SELDOM = ['0 * * * *', '30 */2 * * *', '0 2 * * *', '30 2 * * *', 'H H * * *', '45 1 * * 0,6'] as const;
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'] as const;
/** Below and above the period of most expressions. */
const WINDOWS = ['0', '40', '3m', '20m', '1h', '3h'] as const;

/** Names that begin alike, so that whose run is whose is no matter of names. */
const SCHEDULES = ['a', 'a-b', 'night'] as const;
export const POLICIES = ['b', 'data', 'media'] as const;
export const REPOSITORIES = ['nas', 'offsite'] as const;
export const CLAIMS = ['pg1', 'pg2', 'files'] as const;
const TIERS = ['gold', 'tin'] as const;
export const DISKS = ['fast', 'slow'] as const;

export const someCron = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...OFTEN) },
  { weight: 2, arbitrary: fc.constantFrom(...SELDOM) },
);
export const someZone = fc.option(fc.constantFrom(...ZONES), { nil: undefined, freq: 2 });
export const someJitter = fc.option(fc.constantFrom(...WINDOWS), { nil: undefined, freq: 2 });
export const someDeadline = fc.option(fc.constantFrom(0, 30, 120, 600, 3600, 86_400, -1), {
  nil: undefined,
  freq: 2,
});
export const someConcurrency = fc.constantFrom('Allow', 'Forbid', 'Replace', undefined);
export const someFailedLimit = fc.option(fc.constantFrom(0, 1, 2), { nil: undefined });
export const someAim = fc.oneof(
  fc.record({ policy: fc.constantFrom(...POLICIES) }),
  fc.record({ tier: fc.constantFrom(...TIERS) }),
);
export const someRepositories = fc.uniqueArray(fc.constantFrom(...REPOSITORIES), {
  minLength: 1,
  maxLength: 2,
});
export const someSource = fc.oneof(
  { weight: 2, arbitrary: fc.record({ claim: fc.constantFrom(...CLAIMS) }) },
  { weight: 1, arbitrary: fc.record({ disk: fc.constantFrom(...DISKS) }) },
);
export const someKeep = fc.constantFrom(undefined, undefined, 0, 1, 2, 5);
export const someTier = fc.constantFrom(...TIERS, 'gold', undefined);

export const someDefaults: fc.Arbitrary<Defaults> = fc.record({ zone: someZone, jitter: someJitter });

export const someRecipe: fc.Arbitrary<Recipe> = fc.record({
  tier: someTier,
  suspend: fc.constantFrom(false, false, false, true),
  repositories: someRepositories,
  source: someSource,
  keep: someKeep,
});

const someTimetable: fc.Arbitrary<Timetable> = fc.record({
  name: fc.constantFrom(...SCHEDULES),
  aim: someAim,
  cron: someCron,
  zone: someZone,
  jitter: someJitter,
  runOnCreate: fc.constantFrom(false, false, true),
  suspend: fc.constantFrom(false, false, false, false, true),
  concurrency: someConcurrency,
  deadline: someDeadline,
  failedLimit: someFailedLimit,
});

/** What there is when a history begins. */
export interface Beginning {
  readonly timetables: readonly Timetable[];
  readonly recipes: Readonly<Record<string, Recipe>>;
  readonly defaults: Readonly<Record<string, Defaults>>;
  /** The label `disk` of each PVC. */
  readonly claims: Readonly<Record<string, string>>;
}

function recordOf<T>(keys: readonly string[], values: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.record(Object.fromEntries(keys.map((key) => [key, values])));
}

export const someBeginning: fc.Arbitrary<Beginning> = fc.record({
  timetables: fc.uniqueArray(someTimetable, {
    minLength: 2,
    maxLength: SCHEDULES.length,
    selector: ({ name }) => name,
  }),
  recipes: recordOf(POLICIES, someRecipe),
  defaults: recordOf(REPOSITORIES, someDefaults),
  claims: recordOf(CLAIMS, fc.constantFrom(...DISKS)),
});
