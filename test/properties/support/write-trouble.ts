import fc from 'fast-check';
import type { FailureKind } from '#store/port.ts';
import type { Asked, Fault, Write } from './faulty-store.ts';

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

/** What a store answers to the second try of a request whose first answer was lost. */
export const RETRIED: Readonly<Record<Write['verb'], FailureKind>> = {
  create: 'exists',
  apply: 'conflict',
  annotate: 'conflict',
  release: 'conflict',
  spec: 'conflict',
  delete: 'gone',
};

const WRITE_TROUBLES: Readonly<Record<WriteTrouble['trouble'], true>> = {
  none: true,
  crash: true,
  lostReply: true,
  refuse: true,
  noCreates: true,
  noStatus: true,
};

/** Whether it is one of those that every kind of history knows. */
export function isWriteTrouble<Other extends { readonly trouble: string }>(
  trouble: WriteTrouble | Other,
): trouble is WriteTrouble {
  return Object.hasOwn(WRITE_TROUBLES, trouble.trouble);
}

export function isRunCreate({ verb, type }: Asked): boolean {
  return verb === 'create' && type.kind !== 'Event';
}

/** @param isRun whether the write would create a run */
export function writeFault(
  trouble: WriteTrouble,
  { verb }: Asked,
  index: number,
  isRun: boolean,
): Fault | undefined {
  switch (trouble.trouble) {
    case 'none':
      return undefined;
    case 'crash':
      return index === trouble.write ? { state: trouble.done ? 'crash' : 'crashBefore' } : undefined;
    case 'lostReply': {
      const kind = trouble.retried ? RETRIED[verb] : 'transient';
      return index === trouble.write ? { state: 'loseReply', kind } : undefined;
    }
    case 'refuse':
      return index === trouble.write ? { state: 'refuse', kind: trouble.kind } : undefined;
    case 'noCreates':
      return isRun ? { state: 'refuse', kind: trouble.kind } : undefined;
    case 'noStatus':
      return verb === 'apply' ? { state: 'refuse', kind: trouble.kind } : undefined;
  }
}
