const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a, 32 bits, over the UTF-8 bytes of the text. */
export function hash32(text: string): number {
  let hash = OFFSET_BASIS;
  for (const character of text) {
    for (const byte of utf8Bytes(character.codePointAt(0) ?? 0)) {
      hash = Math.imul(hash ^ byte, PRIME);
    }
  }
  return hash >>> 0;
}

/** The same as eight hexadecimal digits. */
export function fnv1a32(text: string): string {
  return hash32(text).toString(16).padStart(8, '0');
}

function utf8Bytes(point: number): readonly number[] {
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), 0x80 | (point & 0x3f)];
  if (point < 0x10000) return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
  return [
    0xf0 | (point >> 18),
    0x80 | ((point >> 12) & 0x3f),
    0x80 | ((point >> 6) & 0x3f),
    0x80 | (point & 0x3f),
  ];
}
