import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { type GfsBucket, type GfsItem, type GfsRule, keepsNothing, keptByGfs } from '#core/run/gfs.ts';
import { type Instant, instant, parseInstant } from '#core/time/instant.ts';

/** Items that are named after their end. */
function ended(...times: readonly string[]): readonly GfsItem[] {
  return times.map((id) => {
    const text = id.length === 10 ? `${id}T00:00:00Z` : id;
    return { id, endedAt: parseInstant(text) ?? instant(Number.NaN) };
  });
}

function shown(rule: GfsRule, items: readonly GfsItem[]): Record<string, string> {
  const kept = keptByGfs(rule, items);
  return Object.fromEntries([...kept].map(([id, buckets]) => [id, buckets.join(' ')]));
}

function tied(...ids: readonly string[]): readonly GfsItem[] {
  return ids.map((id) => ({ id, endedAt: instant(1_772_331_420) }));
}

describe('grandfather, father and son', () => {
  test.each<readonly [string, GfsRule, readonly GfsItem[], Record<string, string>]>([
    ['no items', { keepLatest: 3 }, [], {}],
    ['no bucket keeps nothing', {}, ended('2026-03-01', '2026-03-02'), {}],
    ['zero keeps nothing', { keepLatest: 0, keepDaily: 0 }, ended('2026-03-01'), {}],
    [
      'the newest ones, whatever their order',
      { keepLatest: 2 },
      ended('2026-03-02', '2026-03-04', '2026-03-01', '2026-03-03'),
      { '2026-03-04': 'latest', '2026-03-03': 'latest' },
    ],
    [
      'more places than items',
      { keepLatest: 9, keepAnnual: 4_294_967_295 },
      ended('2026-03-01', '2026-03-02'),
      { '2026-03-02': 'latest annual', '2026-03-01': 'latest' },
    ],
    [
      'of equal ends the first by id',
      { keepLatest: 1, keepDaily: 1 },
      tied('c', 'b', 'a'),
      { a: 'latest daily' },
    ],
    ['equal ends are one period', { keepHourly: 3 }, tied('b', 'a', 'c'), { a: 'hourly' }],
    [
      'equal ends are several of the latest',
      { keepLatest: 2 },
      tied('b', 'c', 'a'),
      { a: 'latest', b: 'latest' },
    ],
    [
      'an hour ends with its last second',
      { keepHourly: 2 },
      ended('2026-03-01T02:00:00Z', '2026-03-01T02:59:59Z', '2026-03-01T03:00:00Z'),
      { '2026-03-01T03:00:00Z': 'hourly', '2026-03-01T02:59:59Z': 'hourly' },
    ],
    [
      'the same hour of two days is two hours',
      { keepHourly: 2 },
      ended('2026-03-01T02:10:00Z', '2026-03-02T02:10:00Z'),
      { '2026-03-02T02:10:00Z': 'hourly', '2026-03-01T02:10:00Z': 'hourly' },
    ],
    [
      'a day ends with its last second in UTC',
      { keepDaily: 2 },
      ended('2026-02-28T00:00:00Z', '2026-02-28T23:59:59Z', '2026-03-01T00:00:00Z'),
      { '2026-03-01T00:00:00Z': 'daily', '2026-02-28T23:59:59Z': 'daily' },
    ],
    [
      'days without an item take no place',
      { keepDaily: 2 },
      ended('2026-01-05', '2026-02-10', '2026-03-20'),
      { '2026-03-20': 'daily', '2026-02-10': 'daily' },
    ],
    [
      'a week reaches over new year, from Monday to Sunday',
      { keepWeekly: 3 },
      ended('2026-12-27', '2026-12-28', '2026-12-31', '2027-01-01', '2027-01-03', '2027-01-04'),
      { '2027-01-04': 'weekly', '2027-01-03': 'weekly', '2026-12-27': 'weekly' },
    ],
    [
      'the first days of January may belong to week 53',
      { keepWeekly: 9 },
      ended('2020-12-31', '2021-01-02', '2021-12-31'),
      { '2021-12-31': 'weekly', '2021-01-02': 'weekly' },
    ],
    [
      'the last days of December may belong to week 1',
      { keepWeekly: 9 },
      ended('2024-12-29', '2024-12-30', '2025-01-01'),
      { '2025-01-01': 'weekly', '2024-12-29': 'weekly' },
    ],
    [
      'weeks go on before 1970',
      { keepWeekly: 9 },
      ended('1969-12-28', '1969-12-29', '1970-01-01', '1970-01-04', '1970-01-05'),
      { '1970-01-05': 'weekly', '1970-01-04': 'weekly', '1969-12-28': 'weekly' },
    ],
    [
      'the same month of two years is two months',
      { keepMonthly: 3 },
      ended('2024-02-29', '2025-02-28', '2025-03-01', '2025-03-31'),
      { '2025-03-31': 'monthly', '2025-02-28': 'monthly', '2024-02-29': 'monthly' },
    ],
    [
      'a year ends with its last second',
      { keepAnnual: 2 },
      ended('2025-12-31T00:00:00Z', '2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z'),
      { '2026-01-01T00:00:00Z': 'annual', '2025-12-31T23:59:59Z': 'annual' },
    ],
    [
      'one item may be kept by all',
      { keepLatest: 1, keepHourly: 1, keepDaily: 1, keepWeekly: 1, keepMonthly: 1, keepAnnual: 1 },
      ended('2026-03-01', '2026-02-28'),
      { '2026-03-01': 'latest hourly daily weekly monthly annual' },
    ],
    [
      'many dailies do not push out the year before',
      { keepDaily: 2, keepAnnual: 2 },
      ended('2024-12-31', '2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04'),
      { '2026-05-04': 'daily annual', '2026-05-03': 'daily', '2024-12-31': 'annual' },
    ],
    [
      'the first and the last year',
      { keepAnnual: 2, keepMonthly: 1 },
      ended('0001-01-01', '9999-12-31'),
      { '9999-12-31': 'monthly annual', '0001-01-01': 'annual' },
    ],
  ])('%s', (_name, rule, items, wanted) => {
    expect(shown(rule, items)).toEqual(wanted);
    expect(shown(rule, items.toReversed())).toEqual(wanted);
  });

  test('what is kept comes newest first', () => {
    const items = ended('2024-12-31', '2026-05-01', '2026-05-02', '2026-05-03');
    const kept = keptByGfs({ keepAnnual: 2, keepLatest: 2 }, items);
    expect([...kept.keys()]).toEqual(['2026-05-03', '2026-05-02', '2024-12-31']);
  });
});

describe('a rule that keeps nothing', () => {
  test.each<readonly [string, GfsRule, boolean]>([
    ['no bucket', {}, true],
    ['only zeros', { keepLatest: 0, keepAnnual: 0 }, true],
    ['latest', { keepLatest: 1 }, false],
    ['hourly', { keepHourly: 1 }, false],
    ['daily', { keepDaily: 1, keepLatest: 0 }, false],
    ['weekly', { keepWeekly: 1 }, false],
    ['monthly', { keepMonthly: 1 }, false],
    ['annual', { keepAnnual: 1 }, false],
  ])('%s', (_name, rule, wanted) => {
    expect(keepsNothing(rule)).toBe(wanted);
    expect(keptByGfs(rule, ended('2026-03-01')).size === 0).toBe(wanted);
  });
});

/** How luxon writes the period of each bucket. */
const PERIODS: readonly (readonly [GfsBucket, keyof GfsRule, string])[] = [
  ['hourly', 'keepHourly', 'yyyy-MM-dd HH'],
  ['daily', 'keepDaily', 'yyyy-MM-dd'],
  ['weekly', 'keepWeekly', "kkkk-'W'WW"],
  ['monthly', 'keepMonthly', 'yyyy-MM'],
  ['annual', 'keepAnnual', 'yyyy'],
];

function isNewer(a: GfsItem, b: GfsItem): boolean {
  return a.endedAt > b.endedAt || (a.endedAt === b.endedAt && a.id < b.id);
}

function written(endedAt: Instant, format: string): string {
  return DateTime.fromSeconds(endedAt, { zone: 'utc' }).toFormat(format);
}

/** Item by item from the definition: the newest of its period, in one of the newest periods. */
function expected(rule: GfsRule, items: readonly GfsItem[]): Record<string, string> {
  const kept: [string, string][] = [];
  for (const item of items) {
    const buckets: GfsBucket[] = [];
    if (items.filter((other) => isNewer(other, item)).length < (rule.keepLatest ?? 0)) buckets.push('latest');
    for (const [bucket, limit, format] of PERIODS) {
      const own = written(item.endedAt, format);
      const newer = items
        .filter((other) => isNewer(other, item))
        .map((other) => written(other.endedAt, format));
      if (!newer.includes(own) && new Set(newer).size < (rule[limit] ?? 0)) buckets.push(bucket);
    }
    if (buckets.length > 0) kept.push([item.id, buckets.join(' ')]);
  }
  return Object.fromEntries(kept);
}

test('agrees with the definition, period by period as luxon writes them', () => {
  const place = fc.integer({ min: 0, max: 6 });
  const rules = fc.record(
    {
      keepLatest: place,
      keepHourly: place,
      keepDaily: place,
      keepWeekly: place,
      keepMonthly: place,
      keepAnnual: place,
    },
    { requiredKeys: [] },
  );
  const newYear = fc.integer({ min: 1, max: 9998 }).map((year) => DateTime.utc(year + 1).toSeconds());
  const anchor = fc.oneof(fc.constant(1_772_331_420), newYear);
  const distance = fc.oneof(
    fc.integer({ min: -3, max: 3 }).map((hours) => hours * 3600),
    fc.integer({ min: -20_000, max: 20_000 }),
    fc.integer({ min: -12, max: 12 }).map((days) => days * 86_400),
    fc.integer({ min: -12, max: 12 }).map((days) => days * 86_400 - 1),
    fc.integer({ min: -31_000_000, max: 31_000_000 }),
  );
  const lists = fc
    .tuple(anchor, fc.array(distance, { maxLength: 20 }))
    .map(([middle, distances]) =>
      distances.map((apart, index) => ({ id: `s${(index * 7) % 20}`, endedAt: instant(middle + apart) })),
    );
  fc.assert(
    fc.property(rules, lists, (rule, items) => {
      expect(shown(rule, items)).toEqual(expected(rule, items));
    }),
    { seed: 20_260_610, numRuns: 1000 },
  );
});
