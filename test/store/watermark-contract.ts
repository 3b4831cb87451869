import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseInstant } from '#core/time/instant.ts';
import type { Taking, Tenure, Watermark } from '#store/port.ts';

/** What several processes share; each has it open by itself, and all have one clock. */
export interface WatermarkWorld {
  readonly open: (holder: string) => Watermark;
  /** Time goes on, in which whoever holds it and lives renews it. */
  readonly pass: (seconds: number) => Promise<void>;
  /** Nobody who holds it shows any sign of life from now on. */
  readonly killAll: () => void;
  /** Somebody else writes what the last tick is said to have left. */
  readonly record: (text: string) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** As long as what showed no life is left alone. */
const LIFETIME = 15;
const AT = parseInstant('2026-06-10T03:00:10Z');
const ONE = 'vm-one/1a2b/40 17 0f1e';
const TWO = 'vm-two/1a2b/40 17 0f1e';

function tenureOf(taking: Taking): Tenure {
  if (taking.state !== 'taken') throw new Error(`not taken: ${JSON.stringify(taking)}`);
  return taking.tenure;
}

/** Rules that every watermark keeps, whatever it is made of. */
export function describeWatermarkContract(name: string, make: () => Promise<WatermarkWorld>): void {
  describe(`${name} as a watermark`, () => {
    let world: WatermarkWorld;
    const take = async (holder: string): Promise<Tenure> => tenureOf(await world.open(holder).take());

    beforeEach(async () => {
      world = await make();
    });
    afterEach(() => world.end());

    test('knows of nothing before the first tick, and of that one afterwards', async () => {
      const first = await take(ONE);
      expect(first.recorded).toEqual({ state: 'none' });
      expect(await first.release(AT)).toEqual({ ok: true });
      expect((await take(TWO)).recorded).toEqual({ state: 'at', at: AT });
    });

    test('keeps what it knows where a tick was not completed', async () => {
      await (await take(ONE)).release(AT);
      expect(await (await take(ONE)).release(undefined)).toEqual({ ok: true });
      expect((await take(ONE)).recorded).toEqual({ state: 'at', at: AT });
    });

    test('is had by one at a time, who is named to the others', async () => {
      const first = await take(ONE);
      const second = await world.open(TWO).take();
      expect(second).toMatchObject({ state: 'held', by: { name: 'process 17 on host vm-one' } });
      if (second.state === 'held') expect(second.by.until).toBeGreaterThan(second.by.since ?? 0);
      expect(first.isLost()).toBe(false);
      await first.release(undefined);
      expect((await world.open(TWO).take()).state).toBe('taken');
    });

    test('is had by one of many that reach for it at once', async () => {
      const many = Array.from({ length: 8 }, (_, index) => world.open(`vm/1/2 ${index} 0f`).take());
      const states = (await Promise.all(many)).map(({ state }) => state);
      expect(states.filter((state) => state === 'taken')).toHaveLength(1);
      expect(states.filter((state) => state === 'held')).toHaveLength(7);
    });

    test('is kept for longer than its lifetime by whoever lives', async () => {
      const first = await take(ONE);
      await world.pass(3 * LIFETIME);
      expect(first.isLost()).toBe(false);
      expect((await world.open(TWO).take()).state).toBe('held');
      expect(await first.release(AT)).toEqual({ ok: true });
    });

    test('is taken over from whoever shows no life, with what is known', async () => {
      await (await take(ONE)).release(AT);
      const first = await take(ONE);
      world.killAll();
      await world.pass(LIFETIME - 1);
      expect((await world.open(TWO).take()).state).toBe('held');
      expect(first.isLost()).toBe(false);
      await world.pass(1);
      // Before anybody has taken it: somebody may.
      expect(first.isLost()).toBe(true);
      const second = await take(TWO);
      expect(second.recorded).toEqual({ state: 'at', at: AT });
      expect(await first.release(AT)).toMatchObject({
        ok: false,
        message: expect.stringContaining('vm-two'),
      });
      expect(second.isLost()).toBe(false);
      expect(await second.release(undefined)).toEqual({ ok: true });
    });

    test('is found by its holder where only the answer was lost', async () => {
      await take(ONE);
      expect((await world.open(ONE).take()).state).toBe('taken');
    });

    test('never takes a text that is no time for none', async () => {
      await (await take(ONE)).release(AT);
      await world.record('yesterday');
      expect((await take(ONE)).recorded).toEqual({ state: 'unreadable', text: 'yesterday' });
    });
  });
}
