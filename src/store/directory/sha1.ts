/*
 * SHA-1 (RFC 3174) of short texts, for uids alone: it guards nothing. Node's own module of cryptography takes longer to
 * load than a plan of ten schedules takes to make.
 */

const BLOCK = 64;

/** The message with the bit and the length behind it that make it whole blocks. */
function padded(message: Uint8Array): DataView {
  const length = Math.ceil((message.length + 9) / BLOCK) * BLOCK;
  const bytes = new Uint8Array(length);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(length - 4, message.length * 8);
  return view;
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** The function and the constant of a round (RFC 3174, 5). */
function mixed(round: number, b: number, c: number, d: number): number {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

export function sha1(message: Uint8Array): Uint8Array {
  const view = padded(message);
  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const words = new Int32Array(80);
  for (let at = 0; at < view.byteLength; at += BLOCK) {
    for (let index = 0; index < 16; index++) words[index] = view.getInt32(at + 4 * index);
    for (let index = 16; index < 80; index++) {
      const back = (words[index - 3] ?? 0) ^ (words[index - 8] ?? 0);
      words[index] = rotated(back ^ (words[index - 14] ?? 0) ^ (words[index - 16] ?? 0), 1);
    }
    addBlock(state, words);
  }
  const digest = new DataView(new ArrayBuffer(20));
  for (const [index, word] of state.entries()) digest.setInt32(4 * index, word);
  return new Uint8Array(digest.buffer);
}

function addBlock(state: Int32Array, words: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let round = 0; round < words.length; round++) {
    const next = (rotated(a, 5) + mixed(round, b, c, d) + e + (words[round] ?? 0)) | 0;
    e = d;
    d = c;
    c = rotated(b, 30);
    b = a;
    a = next;
  }
  for (const [index, word] of [a, b, c, d, e].entries()) state[index] = ((state[index] ?? 0) + word) | 0;
}
