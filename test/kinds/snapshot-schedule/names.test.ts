import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fnv1a64 } from '#core/object/fnv64.ts';
import { formatInstant, type Instant, instant, parseInstant } from '#core/time/instant.ts';
import { type RunNameParts, slotStamp, snapshotName, stampedSlot } from '#kinds/snapshot-schedule/names.ts';

function at(text: string): Instant {
  return parseInstant(text) ?? instant(Number.NaN);
}

const SLOT = at('2026-03-01T02:17:00Z');
const PGDATA = { namespace: 'billing', name: 'pgdata' };
const NAS = { key: 'Repository/billing/nas', name: 'nas' };
const OFFSITE = { key: 'ClusterRepository/offsite', name: 'offsite' };

function parts(more: Partial<RunNameParts> = {}): RunNameParts {
  return { schedule: 'postgres-data-nightly', slot: SLOT, policyNamespace: 'billing', ...more };
}

describe('the 64-bit hash of plain text', () => {
  test.each([
    ['nothing', '', 'cbf29ce484222325'],
    ['one letter', 'a', 'af63dc4c8601ec8c'],
    ['a leading zero is kept', '77kepQFQ8Kl', '0000000000000000'],
    ['a name of the page', 'postgres-data', '7f5b8a145a5d7a49'],
    ['a path of the page', '/pvc/data-a', '87e3ae7d6b672648'],
    ['bytes of UTF-8, not code units', 'größe', 'b7450e1ef58140da'],
  ])('%s', (_name, text, wanted) => {
    expect(fnv1a64(text)).toBe(wanted);
  });
});

describe('names that fit are those of upstream', () => {
  test.each<readonly [string, RunNameParts, string]>([
    ['one policy', parts(), 'postgres-data-nightly-20260301021700'],
    [
      'policies by selector',
      parts({ schedule: 'critical-nightly', policy: 'postgres-data' }),
      'critical-nightly-postgres-data-20260301021700',
    ],
    ['one per PVC', parts({ claim: PGDATA }), 'postgres-data-nightly-20260301021700-pvc-pgdata-02f4d3bd'],
    [
      'one per repository',
      parts({ repository: NAS }),
      'postgres-data-nightly-20260301021700-repo-nas-2d197205',
    ],
    [
      'a PVC of another namespace has it in its slug',
      parts({ schedule: 'n', claim: { namespace: 'web', name: 'data' } }),
      'n-20260301021700-pvc-web-data-8279f37f',
    ],
    [
      'both, with a selector',
      parts({ schedule: 'n', policy: 'p', claim: PGDATA, repository: OFFSITE }),
      'n-p-20260301021700-pvc-pgdata-repo-offsite-a9cbf67d',
    ],
    ['dots stay in the schedule', parts({ schedule: 'db.eu.nightly' }), 'db.eu.nightly-20260301021700'],
    [
      'dots and capitals do not stay in slugs',
      parts({
        schedule: 'n',
        claim: { namespace: 'billing', name: 'data.vol.0' },
        repository: { key: 'Repository/billing/My_NAS', name: 'My_NAS' },
      }),
      'n-20260301021700-pvc-data-vol-0-repo-my-nas-676c1a69',
    ],
    [
      'a repository without any usable letter leaves no second dash',
      parts({ schedule: 'n', repository: { key: 'Repository/billing/__', name: '__' } }),
      'n-20260301021700-repo-d4695957',
    ],
    ['exactly 63 characters', parts({ schedule: 's'.repeat(48) }), `${'s'.repeat(48)}-20260301021700`],
    [
      'exactly 63 characters with a slug',
      parts({ schedule: 's'.repeat(28), claim: PGDATA }),
      `${'s'.repeat(28)}-20260301021700-pvc-pgdata-540a7ad5`,
    ],
  ])('%s', (_name, given, wanted) => {
    expect(snapshotName(given)).toBe(wanted);
    expect(wanted.length).toBeLessThanOrEqual(63);
  });
});

describe('longer names are cut and keep the whole stamp', () => {
  test.each<readonly [string, RunNameParts, string]>([
    ['64 characters', parts({ schedule: 's'.repeat(49) }), `${'s'.repeat(39)}-caacf473-20260301021700`],
    [
      'a schedule of 200 characters',
      parts({ schedule: 'x'.repeat(200) }),
      `${'x'.repeat(39)}-1d4b330a-20260301021700`,
    ],
    [
      'a policy of 200 characters',
      parts({ schedule: 'nightly', policy: 'x'.repeat(200) }),
      `nightly-${'x'.repeat(31)}-76840daa-20260301021700`,
    ],
    [
      'no dash is doubled where the schedule is cut',
      parts({ schedule: `${'s'.repeat(38)}-${'t'.repeat(30)}` }),
      `${'s'.repeat(38)}-15a7974f-20260301021700`,
    ],
    [
      'no part between dots ends in a dash where the schedule is cut',
      parts({ schedule: `${'s'.repeat(38)}.${'t'.repeat(30)}` }),
      `${'s'.repeat(38)}-766bbea4-20260301021700`,
    ],
    [
      'one character too many with a PVC',
      parts({ schedule: 's'.repeat(29), claim: PGDATA }),
      `${'s'.repeat(19)}-1fb15ff6-20260301021700-pvc-pgdata-6d5a805a`,
    ],
    [
      'a long PVC gets a third of the room, the schedule the rest',
      parts({ claim: { namespace: 'billing', name: 'a-very-long-pvc-name-that-does-not-fit' } }),
      'postgres-data-nig-9f9dd5dd-20260301021700-pvc-a-very-l-d1e0c991',
    ],
    [
      'a long repository gets a third of the room, the schedule the rest',
      parts({ repository: { key: 'Repository/billing/archive-in-frankfurt', name: 'archive-in-frankfurt' } }),
      'postgres-data-nig-9caed277-20260301021700-repo-archive-ce526f05',
    ],
    [
      'with both, the repository gets a third and the PVC half of what is left',
      parts({ claim: PGDATA, repository: OFFSITE }),
      'postgre-1a15841c-20260301021700-pvc-pgdata-repo-offsit-724be8c8',
    ],
    [
      'room that a short repository leaves goes to the PVC and the schedule',
      parts({ claim: { namespace: 'web', name: 'data-of-the-shop' }, repository: NAS }),
      'postgres-42be1a80-20260301021700-pvc-web-data-repo-nas-bf6d7733',
    ],
    [
      'no dash is doubled where slugs are cut',
      parts({
        claim: { namespace: 'billing', name: 'abcdef.ghij' },
        repository: { key: 'Repository/billing/uvwxy-z', name: 'uvwxy-z' },
      }),
      'postgres-adc14fb9-20260301021700-pvc-abcdef-repo-uvwxy-faf2b16c',
    ],
    [
      'everything at its upper limit',
      parts({
        schedule: 's'.repeat(253),
        policy: 'p'.repeat(253),
        slot: at('9999-12-31T23:59:59Z'),
        claim: { namespace: 'n'.repeat(63), name: 'c'.repeat(253) },
        repository: { key: `Repository/${'n'.repeat(63)}/${'r'.repeat(253)}`, name: 'r'.repeat(253) },
      }),
      'sssssss-055a0681-99991231235959-pvc-nnnnnn-repo-rrrrrr-2c2f3eaa',
    ],
  ])('%s', (_name, given, wanted) => {
    expect(snapshotName(given)).toBe(wanted);
    expect(wanted.length).toBeLessThanOrEqual(63);
    expect(stampedSlot(wanted, given.schedule)).toBe(given.slot);
  });
});

test.each([
  ['2026-03-01T02:17:00Z', '20260301021700'],
  ['0001-01-01T00:00:00Z', '00010101000000'],
  ['9999-12-31T23:59:59Z', '99991231235959'],
])('the stamp of %s is %s', (slot, stamp) => {
  expect(slotStamp(at(slot))).toBe(stamp);
});

describe('the slot read back out of a name', () => {
  test.each<readonly [string, string, string, string | undefined]>([
    ['plain', 'db-20260301021700', 'db', '2026-03-01T02:17:00Z'],
    ['29 February of a leap year', 'db-20280229000000', 'db', '2028-02-29T00:00:00Z'],
    ['with a policy', 'db-prod.eu-20260301021700', 'db', '2026-03-01T02:17:00Z'],
    ['a policy that ends in a stamp', 'db-p-20250101000000-20260301021700', 'db', '2026-03-01T02:17:00Z'],
    [
      'a schedule that ends in a stamp',
      'db-20250101000000-20260301021700',
      'db-20250101000000',
      '2026-03-01T02:17:00Z',
    ],
    [
      'a PVC that has a stamp',
      'db-20260301021700-pvc-of-20250101000000-02f4d3bd',
      'db',
      '2026-03-01T02:17:00Z',
    ],
    [
      'upstream, cut in the slug only',
      'db-20260301021700-pvc-a-very-long-pvc--c0993805',
      'db',
      '2026-03-01T02:17:00Z',
    ],
    [
      'stamps that differ, either of which may be meant',
      'db-20260301021700-pvc-20250101000000-pvc-x-02f4d3bd',
      'db',
      undefined,
    ],
    [
      'of two stamps only one is a date',
      'db-20260301021700-pvc-20250199000000-pvc-x-02f4d3bd',
      'db',
      '2026-03-01T02:17:00Z',
    ],
    ['no stamp', 'db', 'db', undefined],
    ['a name by hand', 'db-before-the-upgrade', 'db', undefined],
    ['thirteen digits', 'db-2026030102170', 'db', undefined],
    ['fifteen digits', 'db-202603010217000', 'db', undefined],
    ['30 February', 'db-20260230021700', 'db', undefined],
    ['29 February of another year', 'db-20270229000000', 'db', undefined],
    ['hour 24', 'db-20260301240000', 'db', undefined],
    ['year 0', 'db-00000301021700', 'db', undefined],
    ['something behind the stamp', 'db-20260301021700-again', 'db', undefined],
    ['a suffix without its hash', 'db-20260301021700-pvc-pgdata', 'db', undefined],
    [
      'upstream, cut in the stamp',
      'postgres-data-nightly-20260301021-pvc-a-very-long-pvc--c0993805',
      'postgres-data-nightly',
      undefined,
    ],
    [
      'upstream, both slugs',
      'postgres-data-nightly-20260301-pvc-pgdata-repo-offsite-724be8c8',
      'postgres-data-nightly',
      undefined,
    ],
    ['another schedule', 'web-20260301021700', 'db', undefined],
    ['a schedule that begins alike', 'dbx-20260301021700', 'db', undefined],
    [
      'a cut name of another schedule',
      `${'a'.repeat(39)}-caacf473-20260301021700`,
      'b'.repeat(60),
      undefined,
    ],
  ])('%s: %s', (_name, name, schedule, wanted) => {
    const slot = stampedSlot(name, schedule);
    expect(slot === undefined ? undefined : formatInstant(slot)).toBe(wanted);
  });
});

/** Names that often agree where they are cut, and some that look like the markers. */
const label = fc.oneof(
  fc.stringMatching(/^[a-c]([a-c-]{0,8}[a-c])?$/),
  fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/),
  fc.constantFrom('x-repo-y', 'x', 'y', 'pvc-x', 'a-pvc-x-repo-y'),
);
const name = fc.oneof(
  label,
  fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.')),
  fc.stringMatching(/^[a-c]{1,3}$/).map((end) => 'long-'.repeat(40) + end),
);
const slots = fc.oneof(
  fc.integer({ min: 1_772_331_420, max: 1_772_331_430 }).map(instant),
  fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }).map(instant),
);
const claims = fc.record({ namespace: fc.oneof(fc.constantFrom('billing', 'web'), label), name });
const repositories = fc.oneof(
  name.map((text) => ({ key: `ClusterRepository/${text}`, name: text })),
  fc.tuple(fc.constantFrom('billing', 'web'), name).map(([namespace, text]) => ({
    key: `Repository/${namespace}/${text}`,
    name: text,
  })),
);
const anyParts: fc.Arbitrary<RunNameParts> = fc.record(
  {
    schedule: name,
    policy: name,
    slot: slots,
    claim: claims,
    repository: repositories,
    policyNamespace: fc.constant('billing'),
  },
  { requiredKeys: ['schedule', 'slot', 'policyNamespace'] },
);

/** `a-b` with policy `c` and `a` with policy `b-c` have one name upstream, and no more than that is told apart. */
function identity({ schedule, policy, slot, claim, repository }: RunNameParts): string {
  const owner = policy === undefined ? schedule : `${schedule}-${policy}`;
  return JSON.stringify([owner, slot, claim?.namespace, claim?.name, repository?.key]);
}

const RUNS = { seed: 20_260_610, numRuns: 2000 };

describe('any valid names', () => {
  test('give a valid name of at most 63 characters, always the same one', () => {
    fc.assert(
      fc.property(anyParts, (given) => {
        const made = snapshotName(given);
        expect(made.length).toBeLessThanOrEqual(63);
        expect(made).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/);
        if (!`${given.schedule}${given.policy ?? ''}`.includes('.')) expect(made).not.toContain('.');
        expect(made).toContain(`-${slotStamp(given.slot)}`);
        expect(snapshotName(structuredClone(given))).toBe(made);
      }),
      RUNS,
    );
  });

  test('double no dash that was not doubled before', () => {
    fc.assert(
      fc.property(anyParts, (given) => {
        fc.pre(!/-[-.]|\.-/.test(JSON.stringify(given)));
        expect(snapshotName(given)).not.toContain('--');
      }),
      RUNS,
    );
  });

  test('share a name with no other run', () => {
    fc.assert(
      fc.property(fc.array(anyParts, { minLength: 2, maxLength: 12 }), (many) => {
        const seen = new Map<string, string>();
        for (const given of many) {
          const made = snapshotName(given);
          expect(seen.get(made) ?? identity(given)).toBe(identity(given));
          seen.set(made, identity(given));
        }
      }),
      RUNS,
    );
  });

  test('share a name with no run that differs in one part', () => {
    fc.assert(
      fc.property(anyParts, anyParts, (given, other) => {
        const { schedule, policy, slot, claim, repository } = other;
        const variants: readonly RunNameParts[] = [
          { ...given, schedule },
          { ...given, slot },
          ...(policy === undefined ? [] : [{ ...given, policy }]),
          ...(claim === undefined ? [] : [{ ...given, claim }]),
          ...(repository === undefined ? [] : [{ ...given, repository }]),
        ];
        for (const variant of variants) {
          expect(snapshotName(variant) === snapshotName(given)).toBe(identity(variant) === identity(given));
        }
      }),
      RUNS,
    );
  });

  test('give their slot back', () => {
    fc.assert(
      fc.property(anyParts, (given) => {
        expect(stampedSlot(snapshotName(given), given.schedule)).toBe(given.slot);
      }),
      RUNS,
    );
  });
});
