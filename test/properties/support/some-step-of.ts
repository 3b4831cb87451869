import fc from 'fast-check';

/** What a step of a history is made of, whatever kinds it is about. */
interface StepParts<Act, Trouble> {
  readonly advance: fc.Arbitrary<number>;
  readonly acts: fc.Arbitrary<readonly Act[]>;
  readonly trouble: fc.Arbitrary<Trouble>;
}

interface SomeStep<Act, Trouble> {
  readonly advance: number;
  readonly acts: readonly Act[];
  readonly dice: number;
  readonly trouble: Trouble;
}

/** Steps with troubles, or without any so that every tick is held to the whole of its promises. */
export function someStepOf<Act, Trouble extends { readonly trouble: string }>(
  { advance, acts, trouble }: StepParts<Act, Trouble | { readonly trouble: 'none' }>,
  troubled: boolean,
): fc.Arbitrary<SomeStep<Act, Trouble | { readonly trouble: 'none' }>> {
  return fc.record({
    advance,
    acts,
    dice: fc.nat(),
    trouble: troubled ? trouble : fc.constant({ trouble: 'none' } as const),
  });
}
