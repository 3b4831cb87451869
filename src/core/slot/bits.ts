/** How many bits of a 32-bit set are on. */
export function countBits(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Index of the lowest bit, as of the highest below, of a set that is not empty. */
export function lowestBit(set: number): number {
  return 31 - Math.clz32(set & -set);
}

export function highestBit(set: number): number {
  return 31 - Math.clz32(set);
}
