import fc from 'fast-check';

const MONTHS = ['jan', 'FEB', 'Mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'MON', 'Tue', 'wed', 'thu', 'fri', 'sat'];

function value(min: number, max: number, names: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min, max }), fc.boolean())
    .map(([number, named]) => (named ? (names[number - min] ?? String(number)) : String(number)));
}

function range(min: number, max: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
    .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
}

function element(min: number, max: number, names: readonly string[]): fc.Arbitrary<string> {
  const step = fc.integer({ min: 1, max: max + 2 });
  return fc.oneof(
    { weight: 4, arbitrary: value(min, max, names) },
    { weight: 2, arbitrary: range(min, max) },
    { weight: 1, arbitrary: fc.tuple(range(min, max), step).map(([text, by]) => `${text}/${by}`) },
    { weight: 1, arbitrary: fc.tuple(value(min, max, names), step).map(([text, by]) => `${text}/${by}`) },
    { weight: 1, arbitrary: step.map((by) => `*/${by}`) },
  );
}

function field(min: number, max: number, open: number, names: readonly string[] = []): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: open, arbitrary: fc.constantFrom('*', '*', '?', '*/1') },
    { weight: 4, arbitrary: element(min, max, names) },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.oneof(element(min, max, names), fc.constant('')), { minLength: 2, maxLength: 4 })
        .map((list) => list.join(',') || ','),
    },
  );
}

/** Expressions of the Kubernetes grammar, dense ones and rare ones. */
export const expressions: fc.Arbitrary<string> = fc
  .tuple(
    field(0, 59, 2),
    field(0, 23, 3),
    field(1, 31, 8),
    field(1, 12, 10, MONTHS),
    field(0, 6, 8, WEEKDAYS),
  )
  .map((fields) => fields.join(' '));

/** Expressions with one plain minute and hour: those that the safe rule changes. */
export const fixedTimes: fc.Arbitrary<string> = fc
  .tuple(
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 0, max: 23 }),
    field(1, 31, 12),
    field(1, 12, 20, MONTHS),
    field(0, 6, 8, WEEKDAYS),
  )
  .map((fields) => fields.join(' '));

/** Zones that the runtime knows. */
export const zones: fc.Arbitrary<string> = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));

/** Instants between 1970 and 2050. */
export const instants: fc.Arbitrary<number> = fc.integer({ min: 0, max: 2_524_608_000 });
