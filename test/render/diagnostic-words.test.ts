import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** A reason or a remedy that is spelled out where a finding is made. */
const SPELLED =
  /(?:\b(?:why|fix):|\b(?:const|return) (?:[A-Z_]*(?:WHY|FIX)|why|fix) =)\s*(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1/g;

function texts(source: string): readonly string[] {
  return [...source.matchAll(SPELLED)].map(([, , text = '']) => text);
}

function isInStyle(text: string): boolean {
  const sentences = text.split(/[.!?] (?=[A-Z])/);
  return sentences.length > 1 ? text.endsWith('.') : /^[^A-Z]/.test(text) && !text.endsWith('.');
}

test.each(['cli', 'render', 'source', 'store/directory'])(
  'reasons and remedies of src/%s begin small and end without a stop, but for several sentences',
  async (folder) => {
    const names = await readdir(join('src', folder), { recursive: true });
    const files = names.filter((name) => name.endsWith('.ts'));
    const sources = await Promise.all(files.map((name) => readFile(join('src', folder, name), 'utf8')));
    expect(sources.flatMap(texts).filter((text) => !isInStyle(text))).toEqual([]);
  },
);

test.each([
  ["{ fix: 'Write it down' }", ['Write it down']],
  ['{ why: `it ends.` }', ['it ends.']],
  ["{ fix: 'one thing. Another' }", ['one thing. Another']],
  ["{ fix: 'write 1.5 or less', why: 'One thing. Another.' }", []],
])('the rule is seen to be broken, or not, in %s', (source, broken) => {
  expect(texts(source).filter((text) => !isInStyle(text))).toEqual(broken);
});
