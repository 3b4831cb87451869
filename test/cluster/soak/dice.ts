/** Chances that come again with their seed. */
export interface Dice {
  /** Whole, from 0 on. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** One of the names, each as often as its weight says. */
  weighed<T extends string>(weights: Readonly<Record<T, number>>): T;
}

export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(values: readonly T[]): T => {
    if (values.length === 0) throw new Error('nothing to pick from');
    return values[below(values.length)] as T;
  };
  return {
    below,
    pick,
    chance: (probability) => next() < probability,
    weighed: <T extends string>(weights: Readonly<Record<T, number>>): T => {
      const entries = Object.entries(weights) as [T, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      const found = entries.find(([, weight]) => {
        left -= weight;
        return left < 0;
      });
      return found?.[0] ?? pick(entries)[0];
    },
  };
}
