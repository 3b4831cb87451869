import fc from 'fast-check';
import { someStepOf } from '#test/properties/support/some-step-of.ts';
import { type WriteTrouble, writeTroubles } from '#test/properties/support/write-trouble.ts';
import {
  CLAIMS,
  DISKS,
  POLICIES,
  REPOSITORIES,
  someAim,
  someConcurrency,
  someCron,
  someDeadline,
  someDefaults,
  someFailedLimit,
  someJitter,
  someKeep,
  someRecipe,
  someRepositories,
  someSource,
  someTier,
  someZone,
} from './arbitraries.ts';
import type { Defaults, Recipe, Timetable } from './objects.ts';

const RUN_ACTS = [
  'deleteRun',
  'succeedRun',
  'failRun',
  'failRunWithSnapshot',
  'oddRun',
  'parkRun',
  'holdRun',
  'releaseRun',
  'pinRun',
] as const;

/** What somebody else does to the cluster. Numbers pick an object, modulo how many there are. */
export type Act =
  | { readonly act: 'editSchedule'; readonly schedule: number; readonly change: Partial<Timetable> }
  | { readonly act: 'recreateSchedule'; readonly schedule: number }
  | { readonly act: 'editPolicy'; readonly policy: string; readonly change: Partial<Recipe> }
  | { readonly act: 'dropPolicy'; readonly policy: string; readonly held: boolean }
  | { readonly act: 'addPolicy'; readonly policy: string; readonly recipe: Recipe }
  | { readonly act: 'setRepository'; readonly repository: string; readonly defaults: Defaults }
  | { readonly act: 'dropRepository'; readonly repository: string }
  | { readonly act: 'setClaim'; readonly claim: string; readonly disk: string }
  | { readonly act: 'dropClaim'; readonly claim: string }
  | { readonly act: (typeof RUN_ACTS)[number]; readonly run: number }
  | { readonly act: 'runByHand'; readonly policy: string }
  /** Labelled as the schedule's, started by an earlier schedule of its name. */
  | { readonly act: 'strayRun'; readonly schedule: number; readonly policy: string; readonly phase: string }
  /** Takes a name that the latest slot of a schedule has or the next one will have; `upstreamRun`: rightly so. */
  | {
      readonly act: 'squat' | 'upstreamRun';
      readonly schedule: number;
      readonly target: number;
      readonly coming: boolean;
    }
  | { readonly act: 'leave' };

/** What goes wrong with a tick; `write` counts from 0. */
export type Trouble =
  | WriteTrouble
  | { readonly trouble: 'unread'; readonly kind: string }
  | { readonly trouble: 'meddle'; readonly write: number; readonly act: Act }
  /** A run ends just before it would be marked or deleted. */
  | { readonly trouble: 'raceEnd' };

/** One minute, or what passed for one: time goes on, things happen, the process starts. */
export interface Step {
  readonly advance: number;
  readonly acts: readonly Act[];
  /** Decides how the runs get on. */
  readonly dice: number;
  readonly trouble: Trouble;
}

const someIndex = fc.nat({ max: 1000 });
const someWrite = fc.nat({ max: 9 });
const somePolicy = fc.constantFrom(...POLICIES);
const someRepository = fc.constantFrom(...REPOSITORIES);
const someClaim = fc.constantFrom(...CLAIMS);

const someAdvance = fc.oneof(
  { weight: 80, arbitrary: fc.integer({ min: 55, max: 65 }) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 20 }) },
  { weight: 8, arbitrary: fc.integer({ min: 90, max: 900 }) },
  { weight: 5, arbitrary: fc.integer({ min: 3600, max: 20_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 86_400, max: 200_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: -300, max: -1 }) },
  { weight: 1, arbitrary: fc.integer({ min: -5000, max: -300 }) },
);

const someChange: fc.Arbitrary<Partial<Timetable>> = fc.oneof(
  fc.record({ suspend: fc.boolean() }),
  fc.record({ suspend: fc.constant(false) }),
  fc.record({ cron: someCron }),
  fc.record({ zone: someZone }),
  fc.record({ jitter: someJitter }),
  fc.record({ deadline: someDeadline }),
  fc.record({ concurrency: someConcurrency }),
  fc.record({ failedLimit: someFailedLimit }),
  fc.record({ aim: someAim }),
);

const someRecipeChange: fc.Arbitrary<Partial<Recipe>> = fc.oneof(
  fc.record({ tier: someTier }),
  fc.record({ suspend: fc.boolean() }),
  fc.record({ repositories: someRepositories }),
  fc.record({ source: someSource }),
  fc.record({ keep: someKeep }),
);

const someAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('editSchedule'),
      schedule: someIndex,
      change: someChange,
    } as const),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('recreateSchedule'), schedule: someIndex } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('editPolicy'),
      policy: somePolicy,
      change: someRecipeChange,
    } as const),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('dropPolicy'),
      policy: somePolicy,
      held: fc.boolean(),
    } as const),
  },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('addPolicy'), policy: somePolicy, recipe: someRecipe } as const),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('setRepository'),
      repository: someRepository,
      defaults: someDefaults,
    } as const),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('dropRepository'), repository: someRepository } as const),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('setClaim'),
      claim: someClaim,
      disk: fc.constantFrom(...DISKS),
    } as const),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('dropClaim'), claim: someClaim } as const) },
  {
    weight: 8,
    arbitrary: fc.record({ act: fc.constantFrom(...RUN_ACTS), run: someIndex } as const),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('runByHand'), policy: somePolicy } as const) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('strayRun'),
      schedule: someIndex,
      policy: somePolicy,
      phase: fc.constantFrom('Running', 'Pending', 'Failed', 'Succeeded', 'Verifying'),
    } as const),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('squat', 'upstreamRun'),
      schedule: someIndex,
      target: someIndex,
      coming: fc.boolean(),
    } as const),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('leave') } as const) },
);

const someTrouble: fc.Arbitrary<Trouble> = fc.oneof(
  ...writeTroubles(someWrite, 4),
  {
    weight: 1,
    arbitrary: fc.record({
      trouble: fc.constant('unread'),
      kind: fc.constantFrom('Snapshot', 'SnapshotPolicy', 'Repository', 'PersistentVolumeClaim', 'Job'),
    } as const),
  },
  {
    weight: 2,
    arbitrary: fc.record({ trouble: fc.constant('meddle'), write: someWrite, act: someAct } as const),
  },
  { weight: 1, arbitrary: fc.constant<Trouble>({ trouble: 'raceEnd' }) },
);

const someActs = fc.oneof(
  { weight: 4, arbitrary: fc.constant<readonly Act[]>([]) },
  { weight: 2, arbitrary: fc.array(someAct, { minLength: 1, maxLength: 2 }) },
);

export function someStep(troubled: boolean): fc.Arbitrary<Step> {
  return someStepOf({ advance: someAdvance, acts: someActs, trouble: someTrouble }, troubled);
}
