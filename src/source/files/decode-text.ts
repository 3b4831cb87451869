import { isUtf8 } from 'node:buffer';
import type { Fault } from '#source/text/problem.ts';

/** The text of a file, or why its bytes are none and in which line that begins. */
export type DecodedText = { readonly text: string } | { readonly fault: Fault; readonly line: number };

// UTF-32 first: its little-endian mark begins with that of UTF-16.
const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['UTF-32', [0xff, 0xfe, 0, 0]],
  ['UTF-32', [0, 0, 0xfe, 0xff]],
  ['UTF-16', [0xff, 0xfe]],
  ['UTF-16', [0xfe, 0xff]],
];
/** What stands in place of a content that Git LFS keeps elsewhere (git-lfs, docs/spec.md). */
const LFS_POINTER = [...Buffer.from('version https://git-lfs.github.com/spec/')];
const LFS_MOST_BYTES = 1024;
const GITCRYPT = [...Buffer.from('\0GITCRYPT\0')];

function beginsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function refused(what: string, line = 1): DecodedText {
  const why = 'kubectl and the API server take UTF-8 alone';
  return { fault: { code: 'InvalidEncoding', what, why, fix: 'save the file as UTF-8' }, line };
}

/** No character of UTF-8 but the line break itself holds the byte 0x0A, so lines can be tried one by one. */
function firstBadLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found + 1;
    if (!isUtf8(bytes.subarray(start, end))) return line;
    start = end;
  }
  return line;
}

function lfsPointer(): DecodedText {
  const what = 'the file is a pointer of Git LFS, not its content';
  const why = 'the content is kept outside of the repository, so what it defines cannot be told';
  const fix = 'run `git lfs pull` and read the files from disk, or keep manifests out of Git LFS';
  return { fault: { code: 'FileUnreadable', what, why, fix }, line: 1 };
}

export function decodeText(bytes: Uint8Array): DecodedText {
  if (beginsWith(bytes, GITCRYPT)) {
    const fix = 'unlock the repository first, or leave the file out';
    const why = 'what it defines cannot be told';
    return { fault: { code: 'EncryptedFile', what: 'the file is encrypted (git-crypt)', why, fix }, line: 1 };
  }
  if (bytes.length < LFS_MOST_BYTES && beginsWith(bytes, LFS_POINTER)) return lfsPointer();
  const marked = MARKS.find(([, mark]) => beginsWith(bytes, mark));
  if (marked !== undefined) return refused(`the file is ${marked[0]}, not UTF-8`);
  if (!isUtf8(bytes)) return refused('the line is not valid UTF-8', firstBadLine(bytes));
  if (bytes.includes(0)) return refused('the file holds zero bytes: it is UTF-16 without a mark, or no text');
  return { text: new TextDecoder().decode(bytes) };
}
