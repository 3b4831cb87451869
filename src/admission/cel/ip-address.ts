/** An address by its bytes: four, or sixteen. */
export interface Address {
  readonly bytes: readonly number[];
}

function fourBytes(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  const valid = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part));
  const bytes = parts.map(Number);
  return valid && bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function groupBytes(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  for (const group of text.split(':')) {
    if (!/^[0-9A-Fa-f]{1,4}$/.test(group)) return undefined;
    const value = Number.parseInt(group, 16);
    bytes.push(value >> 8, value & 255);
  }
  return bytes;
}

function sixteenBytes(text: string): readonly number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(groupBytes);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  if (halves.length === 1) return head.length === 16 ? head : undefined;
  const missing = 16 - head.length - (tail?.length ?? 0);
  return missing < 2 ? undefined : [...head, ...new Array<number>(missing).fill(0), ...(tail ?? [])];
}

/** As Kubernetes reads one: no zone, no leading zeros, and no IPv4 address inside an IPv6 one. */
export function parseAddress(text: string): Address | undefined {
  if (text.length > 45) return undefined;
  const bytes = text.includes(':') ? sixteenBytes(text) : fourBytes(text);
  const mapped = bytes?.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0);
  if (mapped && bytes[10] === 255 && bytes[11] === 255) return undefined;
  return bytes === undefined ? undefined : { bytes };
}

/** The longest run of two or more groups that are zero, the first of several. */
function longestZeros(groups: readonly string[]): { readonly from: number; readonly count: number } {
  let best = { from: 0, count: 0 };
  for (let from = 0; from < groups.length; from++) {
    let count = 0;
    while (groups[from + count] === '0') count++;
    if (count > best.count) best = { from, count };
  }
  return best;
}

export function addressText({ bytes }: Address): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  );
  const { from, count } = longestZeros(groups);
  if (count < 2) return groups.join(':');
  return `${groups.slice(0, from).join(':')}::${groups.slice(from + count).join(':')}`;
}

/** The address with all bits behind the prefix set to zero. */
export function masked({ bytes }: Address, prefix: number): Address {
  return {
    bytes: bytes.map((byte, index) => {
      const kept = Math.min(8, Math.max(0, prefix - 8 * index));
      return byte & (0xff << (8 - kept)) & 0xff;
    }),
  };
}

export function sameAddress(a: Address, b: Address): boolean {
  return a.bytes.length === b.bytes.length && a.bytes.every((byte, index) => byte === b.bytes[index]);
}
