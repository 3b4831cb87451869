const MASK = 0xffff_ffff_ffff_ffffn;
const BASIS = 0xcbf2_9ce4_8422_2325n;
const PRIME = 0x100_0000_01b3n;

/** snapshot-schedule.md 2.6: FNV-1a over the seed and the eight little-endian bytes of a signed number. */
function hash(seed: string, value: bigint): bigint {
  const unsigned = BigInt.asUintN(64, value);
  const tail = Array.from({ length: 8 }, (_, index) => Number((unsigned >> BigInt(8 * index)) & 0xffn));
  return [...new TextEncoder().encode(seed), ...tail].reduce(
    (sum, byte) => ((sum ^ BigInt(byte)) * PRIME) & MASK,
    BASIS,
  );
}

const offsets = new Map<string, Map<number, number>>();

/** Seconds from a base slot to its slot. */
export function jitterOf(seed: string, window: number, base: number): number {
  if (window <= 0) return 0;
  const id = `${seed} ${window}`;
  const known = offsets.get(id) ?? new Map<number, number>();
  offsets.set(id, known);
  const offset = known.get(base) ?? Number(hash(seed, BigInt(base)) % BigInt(window));
  known.set(base, offset);
  return offset;
}

const FIELDS = [
  [0n, 60n],
  [0n, 24n],
  [1n, 28n],
  [1n, 12n],
  [0n, 7n],
] as const;

function rotatedLeft(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK;
}

/** snapshot-schedule.md 2.7: a number for each field that is exactly `H`. */
export function withoutH(expression: string, seed: string): string {
  const texts = expression.trim().split(/\s+/);
  const base = hash(seed, 0n);
  return texts
    .map((text, index) => {
      const [low, width] = FIELDS[index] ?? [0n, 1n];
      const mixed = rotatedLeft(base, 7n * BigInt(index + 1));
      return text === 'H' ? String(low + (mixed % width)) : text;
    })
    .join(' ');
}

/** The low 32 bits of the hash of plain text, as names carry it (3.6). */
export function nameHash(text: string): string {
  const sum = [...new TextEncoder().encode(text)].reduce(
    (hashed, byte) => ((hashed ^ BigInt(byte)) * PRIME) & MASK,
    BASIS,
  );
  return (sum & 0xffff_ffffn).toString(16).padStart(8, '0');
}
