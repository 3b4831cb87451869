import fc from 'fast-check';
import { someStepOf } from './some-step-of.ts';
import {
  someConcurrency,
  someDeadline,
  someExpression,
  someLimit,
  someZone,
  type Timetable,
} from './timetable.ts';
import { type WriteTrouble, writeTroubles } from './write-trouble.ts';

/** What somebody else does to the cluster. Numbers pick an object, modulo how many there are. */
export type Act =
  | { readonly act: 'edit'; readonly schedule: number; readonly change: Partial<Timetable> }
  | { readonly act: 'recreate'; readonly schedule: number }
  | { readonly act: 'deleteRun'; readonly run: number }
  | { readonly act: 'finishRun'; readonly run: number }
  | { readonly act: 'oddRun'; readonly run: number }
  | { readonly act: 'releaseRun'; readonly run: number }
  | { readonly act: 'holdRun'; readonly run: number }
  | { readonly act: 'runByHand'; readonly schedule: number }
  /** Takes the name of a coming run. */
  | { readonly act: 'squat'; readonly schedule: number; readonly slotsAhead: number }
  | { readonly act: 'leave' };

/** What goes wrong with a tick's writes; `write` counts from 0. */
export type Trouble =
  | WriteTrouble
  | { readonly trouble: 'meddle'; readonly write: number; readonly act: Act }
  /** A run is created under the very name, just before: by a stranger, or for the schedule itself. */
  | { readonly trouble: 'raceCreate'; readonly owner: 'none' | 'own' }
  /** A run ends just before it would be replaced. */
  | { readonly trouble: 'raceEnd' };

/** One minute, or what passed for one: time goes on, things happen, the process starts. */
export interface Step {
  readonly advance: number;
  readonly acts: readonly Act[];
  /** Decides how the runs get on. */
  readonly dice: number;
  readonly trouble: Trouble;
}

export const someIndex = fc.nat({ max: 1000 });
export const someWrite = fc.nat({ max: 7 });

export const someAdvance = fc.oneof(
  { weight: 80, arbitrary: fc.integer({ min: 55, max: 65 }) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 20 }) },
  { weight: 6, arbitrary: fc.integer({ min: 90, max: 900 }) },
  { weight: 3, arbitrary: fc.integer({ min: 3600, max: 20_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 86_400, max: 200_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: -300, max: -1 }) },
  { weight: 1, arbitrary: fc.integer({ min: -1500, max: -300 }) },
);

const someChange: fc.Arbitrary<Partial<Timetable>> = fc.oneof(
  fc.record({ suspend: fc.boolean() }),
  fc.record({ suspend: fc.constant(false) }),
  fc.record({ expression: someExpression }),
  fc.record({ zone: someZone }),
  fc.record({ deadline: someDeadline }),
  fc.record({ concurrency: someConcurrency }),
  fc.record({ limit: someLimit, failedLimit: someLimit }),
);

export const someAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant('edit'), schedule: someIndex, change: someChange } as const),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('recreate'), schedule: someIndex } as const) },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constantFrom('deleteRun', 'finishRun', 'oddRun', 'holdRun', 'releaseRun'),
      run: someIndex,
    } as const),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('runByHand'), schedule: someIndex } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('squat'),
      schedule: someIndex,
      slotsAhead: fc.integer({ min: 0, max: 3 }),
    } as const),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('leave') } as const) },
);

const someTrouble: fc.Arbitrary<Trouble> = fc.oneof(
  ...writeTroubles(someWrite, 3),
  {
    weight: 2,
    arbitrary: fc.record({ trouble: fc.constant('meddle'), write: someWrite, act: someAct } as const),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      trouble: fc.constant('raceCreate'),
      owner: fc.constantFrom('none', 'own'),
    } as const),
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
