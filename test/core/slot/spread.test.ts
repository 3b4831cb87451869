import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseSlotOf, enumerateSlots, firstAfter } from '#core/slot/search.ts';
import { jitterOffset, substituteH } from '#core/slot/spread.ts';
import { instant } from '#core/time/instant.ts';
import { at, compiled, shown } from '#test/core/slot/support/compiled.ts';

const A = '7c1f6a0e-2d55-4a8e-9b1a-0f4c6e1d2a33';
const F = 'f2b9c1d4-8e7a-4c63-a5d0-1b2c3d4e5f60';
const ZERO = '00000000-0000-0000-0000-000000000000';

/** FNV-1a as its description has it, with big integers. */
function fnv(bytes: Iterable<number>): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

function oracleOffset(seed: string, base: number, window: number): number {
  const slot = new DataView(new ArrayBuffer(8));
  slot.setBigInt64(0, BigInt(base), true);
  return Number(fnv([...new TextEncoder().encode(seed), ...new Uint8Array(slot.buffer)]) % BigInt(window));
}

describe('jitter', () => {
  it('starts from an oracle that gives the known plain hashes', () => {
    expect(fnv(new TextEncoder().encode('postgres-data')) & 0xffffffffn).toBe(0x5a5d7a49n);
    expect(fnv(new TextEncoder().encode('/pvc/data-a'))).toBe(0x87e3ae7d6b672648n);
  });

  it.each([
    [A, 1772330400, 1800, 1074],
    [A, 1772416800, 1800, 295],
    [ZERO, 1772330400, 1800, 1222],
    [F, 1772331420, 3600, 3075],
    ['schedule-uid', 1700000000, 1800, 1440],
    [F, 0, 86400, 55220],
    [ZERO, 1792888200, 600, 485],
    ['7d9c1b52-0c1e-4f7a-9a55-2f6f0e4b8c11', 1781056800, 1800, 1210],
    ['7d9c1b52-0c1e-4f7a-9a55-2f6f0e4b8c11', 1781143200, 1800, 373],
    ['7d9c1b52-0c1e-4f7a-9a55-2f6f0e4b8c12', 1781056800, 1800, 1095],
    ['7d9c1b52-0c1e-4f7a-9a55-2f6f0e4b8c12', 1781143200, 1800, 1696],
    [A, 1772330400, 1, 0],
    [A, 1772330400, 0, 0],
  ])('of seed %s at %d in %d seconds is %d', (seed, base, window, offset) => {
    expect(jitterOffset(seed, base, window)).toBe(offset);
  });

  it('equals the big-integer oracle for any seed, slot and window, and stays inside the window', () => {
    const seeds = fc.oneof(fc.uuid(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
    const bases = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 });
    const windows = fc.oneof(
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 1, max: 9_223_372_036 }),
    );
    fc.assert(
      fc.property(seeds, bases, windows, (seed, base, window) => {
        const offset = jitterOffset(seed, base, window);
        expect(offset).toBe(oracleOffset(seed, base, window));
        expect(offset).toBeGreaterThanOrEqual(0);
        expect(offset).toBeLessThan(window);
      }),
      { numRuns: 3000 },
    );
  });

  it('drops no slot when the window is longer than the period', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 0, max: 2e9 }),
        (seed, window, now) => {
          const timing = compiled('*/5 * * * *', { seed, jitterSeconds: window });
          const from = instant(now - (now % 86_400));
          const slots = enumerateSlots(timing, instant(from - 1), instant(from + 86_400 + window), 10_000);
          const bases: number[] = [];
          for (let base: number = from - 20_100; base < from + 86_400 + window; base += 300) bases.push(base);
          const wanted = bases
            .map((base) => base + oracleOffset(seed, base, window))
            .filter((slot) => slot >= from && slot <= from + 86_400 + window)
            .sort((a, b) => a - b);
          expect(slots).toEqual(wanted);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leads back from a slot to its base slot and offset', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.integer({ min: 1, max: 90_000 }),
        fc.integer({ min: 0, max: 2e9 }),
        (seed, window, now) => {
          const timing = compiled('17 */3 * * *', { seed, jitterSeconds: window, zone: 'Europe/Berlin' });
          const slot = firstAfter(timing, instant(now));
          const base = slot === undefined ? undefined : baseSlotOf(timing, slot);
          expect(base).toBeDefined();
          if (base === undefined) return;
          expect(base.base + base.offsetSeconds).toBe(slot);
          expect(base.offsetSeconds).toBe(jitterOffset(seed, base.base, window));
          expect(
            baseSlotOf(compiled('17 */3 * * *', { zone: 'Europe/Berlin' }), base.base)?.offsetSeconds,
          ).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('says that an instant between slots has no base slot', () => {
    expect(baseSlotOf(compiled('0 3 * * *'), at('2026-03-01T03:01Z'))).toBeUndefined();
    expect(
      baseSlotOf(compiled('0 3 * * *', { jitterSeconds: 600, seed: A }), at('2026-03-01T12:00Z')),
    ).toBeUndefined();
  });
});

describe('H', () => {
  it.each([
    ['H 2 * * *', '7d9c1b52-0c1e-4f7a-9a55-2f6f0e4b8c11', '6 2 * * *'],
    ['H H H * *', '7d9c1b52-0c1e-4f7a-9a55-2f6f0e4b8c11', '6 21 17 * *'],
    ['H H * * H', '7d9c1b52-0c1e-4f7a-9a55-2f6f0e4b8c11', '6 21 * * 6'],
    ['H 2 * * *', '7d9c1b52-0c1e-4f7a-9a55-2f6f0e4b8c12', '55 2 * * *'],
    ['H H H * *', '7d9c1b52-0c1e-4f7a-9a55-2f6f0e4b8c12', '55 23 16 * *'],
    ['H H * * H', '7d9c1b52-0c1e-4f7a-9a55-2f6f0e4b8c12', '55 23 * * 0'],
    ['H 2 * * *', A, '35 2 * * *'],
    ['H H * * *', A, '35 16 * * *'],
    ['H H H H H', A, '35 16 19 11 1'],
    ['H H * * *', ZERO, '51 12 * * *'],
    ['H 2 * * H', F, '55 2 * * 3'],
    ['H H H * *', F, '55 8 25 * *'],
    ['H 2 * * *', 'schedule-uid', '5 2 * * *'],
    ['  H   2 * * * ', A, '35 2 * * *'],
    ['H H H H H', '', '20 1 12 8 0'],
    ['H H H H H', 'nightly-backup', '51 18 18 10 6'],
    ['H H H H H', 'default/nightly-backup', '4 8 21 6 0'],
    ['H H H H H', 'team-a/report', '34 5 13 6 4'],
    ['H H H H H', 'ns/gr\u00f6\u00dfe', '17 13 28 11 4'],
    ['H H H H H', '\u65e5\u672c/\u30d0\u30c3\u30af\u30a2\u30c3\u30d7', '9 9 25 4 0'],
    ['H H H H H', 'x'.repeat(253), '45 6 24 1 0'],
    ['H/15 h H(0-29) H,1 *', A, 'H/15 h H(0-29) H,1 *'],
    ['H H * *', A, 'H H * *'],
    ['H 0 H * * *', A, 'H 0 H * * *'],
  ])('in %j with seed %s is %j', (expression, seed, wanted) => {
    expect(substituteH(expression, seed)).toBe(wanted);
  });

  it.each([
    ['H 2 * * *', 'UTC', 1800, '2026-03-01T00:00:00Z', '2026-03-01T02:35:00Z', 118, '2026-03-01T02:36:58Z'],
    [
      'H 2 * * *',
      'Europe/Berlin',
      1800,
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00Z',
      517,
      '2026-03-29T01:08:37Z',
    ],
    [
      '*/15 * * * *',
      'UTC',
      1800,
      '2026-03-01T00:00:00Z',
      '2026-03-01T00:15:00Z',
      1470,
      '2026-03-01T00:39:30Z',
    ],
    [
      '0 2 * * *',
      'America/Los_Angeles',
      0,
      '2026-03-08T00:00:00Z',
      '2026-03-08T10:00:00Z',
      0,
      '2026-03-08T10:00:00Z',
    ],
  ])(
    '%s in %s with a window of %d s after %s: base slot %s plus %d',
    (expression, zone, window, after, base, offset, slot) => {
      const timing = compiled(expression, { dialect: 'kopiur', zone, seed: A, jitterSeconds: window });
      const slots = enumerateSlots(timing, at(after), instant(at(base) + window), 100);
      expect(slots.map((found) => shown(found))).toContain(slot);
      expect(baseSlotOf(timing, at(slot))).toEqual({ base: at(base), offsetSeconds: offset });
    },
  );
});
