import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha1 } from '#store/directory/sha1.ts';

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

test.each([
  ['nothing', '', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  ['three letters (RFC 3174, 7.3)', 'abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
])('the digest of %s', (_name, text, wanted) => expect(hex(sha1(Buffer.from(text)))).toBe(wanted));

test('it is what Node says, around the ends of blocks and elsewhere', () => {
  const digest = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');
  for (let length = 0; length < 200; length++) {
    const bytes = new Uint8Array(length).fill(length);
    expect([length, hex(sha1(bytes))]).toEqual([length, digest(bytes)]);
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
      expect(hex(sha1(bytes))).toBe(digest(bytes));
    }),
  );
});
