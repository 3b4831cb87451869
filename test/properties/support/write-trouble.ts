import fc from 'fast-check';
import type { FailureKind } from '#store/port.ts';

/** What goes wrong with the writes of a tick; `write` counts from 0. */
export type WriteTrouble =
  | { readonly trouble: 'none' }
  | { readonly trouble: 'crash'; readonly write: number; readonly done: boolean }
  | { readonly trouble: 'lostReply'; readonly write: number; readonly retried: boolean }
  | { readonly trouble: 'refuse'; readonly write: number; readonly kind: FailureKind }
  | { readonly trouble: 'noCreates'; readonly kind: FailureKind }
  | { readonly trouble: 'noStatus'; readonly kind: FailureKind };

const someRefusal = fc.constantFrom<FailureKind>(
  'transient',
  'forbidden',
  'conflict',
  'invalid',
  'terminating',
  'lost',
);

interface Weighted {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<WriteTrouble>;
}

/** For `fc.oneof`, beside troubles of other kinds. */
export function writeTroubles(someWrite: fc.Arbitrary<number>, crashWeight: number): readonly Weighted[] {
  return [
    { weight: 12, arbitrary: fc.record({ trouble: fc.constant('none') } as const) },
    {
      weight: crashWeight,
      arbitrary: fc.record({ trouble: fc.constant('crash'), write: someWrite, done: fc.boolean() } as const),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        trouble: fc.constant('lostReply'),
        write: someWrite,
        retried: fc.boolean(),
      } as const),
    },
    {
      weight: 1,
      arbitrary: fc.record({ trouble: fc.constant('refuse'), write: someWrite, kind: someRefusal } as const),
    },
    { weight: 1, arbitrary: fc.record({ trouble: fc.constant('noCreates'), kind: someRefusal } as const) },
    { weight: 1, arbitrary: fc.record({ trouble: fc.constant('noStatus'), kind: someRefusal } as const) },
  ];
}
