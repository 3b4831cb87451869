import { describe, expect, it } from 'vitest';
import { decodeText } from '#source/files/decode-text.ts';

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('the bytes of a file', () => {
  it.each([
    ['UTF-8', Buffer.from('é 日本 😀'), 'é 日本 😀'],
    ['UTF-8 with a mark', Buffer.from('\uFEFFa: b'), 'a: b'],
    ['nothing', bytes(), ''],
  ])('%s are text', (_, input, text) => {
    expect(decodeText(input)).toEqual({ text });
  });

  it.each([
    ['UTF-16, little end first', Buffer.from('\uFEFFa: b', 'utf16le'), 'the file is UTF-16, not UTF-8'],
    ['UTF-16, big end first', bytes(0xfe, 0xff, 0, 0x61), 'the file is UTF-16, not UTF-8'],
    [
      'UTF-16 without a mark',
      Buffer.from('a: b', 'utf16le'),
      'the file holds zero bytes: it is UTF-16 without a mark, or no text',
    ],
    ['UTF-32', bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), 'the file is UTF-32, not UTF-8'],
  ])('%s are refused by name', (_, input, what) => {
    expect(decodeText(input)).toEqual({
      fault: {
        code: 'InvalidEncoding',
        what,
        why: 'kubectl and the API server take UTF-8 alone',
        fix: 'save the file as UTF-8',
      },
      line: 1,
    });
  });

  it.each([
    ['Latin-1', latin1('a: b\nc: d\nstraße: x\ne: f\n'), 3],
    ['a character that is cut off', bytes(0x61, 0x0a, 0xe6, 0x97), 2],
    ['a surrogate', bytes(0xed, 0xa0, 0x80), 1],
  ])('%s is refused with its line', (_, input, line) => {
    expect(decodeText(input)).toMatchObject({
      fault: { code: 'InvalidEncoding', what: 'the line is not valid UTF-8' },
      line,
    });
  });

  it('a file of git-crypt is encrypted, not badly encoded', () => {
    expect(decodeText(Buffer.from('\0GITCRYPT\0\u0001\u0002'))).toMatchObject({
      fault: { code: 'EncryptedFile' },
    });
  });
});
