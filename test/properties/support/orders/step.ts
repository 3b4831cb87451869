import fc from 'fast-check';
import { someStepOf } from '#test/properties/support/some-step-of.ts';
import {
  type Act,
  someAdvance,
  someIndex,
  someAct as someOtherAct,
  someWrite,
} from '#test/properties/support/step.ts';
import { type WriteTrouble, writeTroubles } from '#test/properties/support/write-trouble.ts';
import { CLASSES, type ClassDraft, NAMESPACES, STRATEGIES } from './objects.ts';

type Name<List extends readonly string[]> = List[number];

/** What somebody does to orders and to what they need; numbers pick an object, modulo how many there are. */
export type OrderAct =
  | { readonly act: 'setClass'; readonly name: Name<typeof CLASSES>; readonly draft: ClassDraft }
  | { readonly act: 'dropClass'; readonly name: Name<typeof CLASSES> }
  | { readonly act: 'setStrategy' | 'dropStrategy'; readonly name: Name<typeof STRATEGIES> }
  | { readonly act: 'setApplication' | 'dropApplication'; readonly namespace: Name<typeof NAMESPACES> }
  | {
      readonly act: 'orderByHand';
      readonly namespace: Name<typeof NAMESPACES>;
      readonly name: string;
      readonly backupClass: Name<typeof CLASSES>;
    }
  | {
      readonly act: 'restore';
      readonly namespace: Name<typeof NAMESPACES>;
      readonly name: string;
      readonly backup: number;
    }
  | { readonly act: (typeof ORDER_ACTS)[number]; readonly order: number }
  | { readonly act: (typeof BACKUP_ACTS)[number]; readonly backup: number }
  /** `haltRun`: with its newest BackupJob, which is being deleted and waits for somebody. */
  | { readonly act: 'losePlanStatus' | 'haltRun'; readonly schedule: number }
  | { readonly act: 'other'; readonly other: Act };

const ORDER_ACTS = [
  'deleteOrder',
  'loseOrderStatus',
  'oddOrder',
  'endWell',
  'endBadly',
  'deleteJob',
  'squatJob',
] as const;

const BACKUP_ACTS = ['deleteBackup', 'cleanBackup', 'holdBackup', 'failBackup', 'releaseBackup'] as const;

export type Trouble =
  | WriteTrouble
  | { readonly trouble: 'meddle'; readonly write: number; readonly act: OrderAct }
  /** The object is there under the very name, just before: of nobody, or by an earlier, lost try. */
  | { readonly trouble: 'raceCreate'; readonly owner: 'none' | 'own' }
  | { readonly trouble: 'unread'; readonly kind: string };

/** One minute, or what passed for one. */
export interface Step {
  readonly advance: number;
  readonly acts: readonly OrderAct[];
  /** Decides how Jobs get on and what is cleared away. */
  readonly dice: number;
  readonly trouble: Trouble;
}

export const someClass: fc.Arbitrary<ClassDraft> = fc.record({
  binding: fc.oneof(
    { weight: 8, arbitrary: fc.constant('ours') },
    { weight: 3, arbitrary: fc.constantFrom('foreign', 'none', 'incomplete') },
  ),
  strategy: fc.constantFrom(...STRATEGIES),
  bucket: fc.constantFrom('one', 'two', 'one', 'two', 'one', 'two', undefined),
} as const);

const someNamespace = fc.constantFrom(...NAMESPACES);

const someOrderAct: fc.Arbitrary<OrderAct> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('setClass'),
      name: fc.constantFrom(...CLASSES),
      draft: someClass,
    } as const),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('dropClass'), name: fc.constantFrom(...CLASSES) } as const),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('setStrategy', 'setStrategy', 'dropStrategy'),
      name: fc.constantFrom(...STRATEGIES),
    } as const),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('setApplication', 'setApplication', 'dropApplication'),
      namespace: someNamespace,
    } as const),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('orderByHand'),
      namespace: someNamespace,
      name: fc.constantFrom('before-upgrade', 'once-more'),
      backupClass: fc.constantFrom(...CLASSES),
    } as const),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('restore'),
      namespace: someNamespace,
      name: fc.constantFrom('back', 'again'),
      backup: someIndex,
    } as const),
  },
  { weight: 10, arbitrary: fc.record({ act: fc.constantFrom(...ORDER_ACTS), order: someIndex } as const) },
  { weight: 5, arbitrary: fc.record({ act: fc.constantFrom(...BACKUP_ACTS), backup: someIndex } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom('losePlanStatus', 'haltRun'),
      schedule: someIndex,
    } as const),
  },
  { weight: 8, arbitrary: fc.record({ act: fc.constant('other'), other: someOtherAct } as const) },
);

const UNREAD = ['Job', 'BackupJob', 'RestoreJob', 'Backup', 'BackupClass', 'JobBackupStrategy'] as const;

const someTrouble: fc.Arbitrary<Trouble> = fc.oneof(
  ...writeTroubles(someWrite, 4),
  {
    weight: 2,
    arbitrary: fc.record({ trouble: fc.constant('meddle'), write: someWrite, act: someOrderAct } as const),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      trouble: fc.constant('raceCreate'),
      owner: fc.constantFrom('none', 'own'),
    } as const),
  },
  {
    weight: 1,
    arbitrary: fc.record({ trouble: fc.constant('unread'), kind: fc.constantFrom(...UNREAD) } as const),
  },
);

const someActs = fc.oneof(
  { weight: 4, arbitrary: fc.constant<readonly OrderAct[]>([]) },
  { weight: 3, arbitrary: fc.array(someOrderAct, { minLength: 1, maxLength: 3 }) },
);

export function someStep(troubled: boolean): fc.Arbitrary<Step> {
  return someStepOf({ advance: someAdvance, acts: someActs, trouble: someTrouble }, troubled);
}
