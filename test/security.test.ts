import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/* What the README's section on security says of the sources as a whole. */

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('src', name))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

function filesWith(pattern: RegExp): readonly string[] {
  return SOURCES.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

function importing(modules: string): RegExp {
  return new RegExp(`(?:from |import\\(|require\\()'(?:node:)?(?:${modules})'`);
}

const NETWORK = importing('http|https|http2|net|tls|dgram|dns|undici');
const PROGRAMS = importing('child_process|cluster|worker_threads|execa');
const EVALUATION = /\beval\(|new Function\(|from '(?:node:)?(?:vm|inspector|repl)'/;

const [, section = ''] = /\n## Security\n([\s\S]*?)\n## /.exec(readFileSync('README.md', 'utf8')) ?? [];

describe('the sources', () => {
  test('are looked through', () => expect(SOURCES.length).toBeGreaterThan(500));

  test('open connections only where the API server is spoken to, and where flags ask to be told', () => {
    const found = filesWith(NETWORK);
    expect(found).toContain('src/store/cluster/http.ts');
    expect(found.filter((path) => !/^src\/(?:store\/cluster|push)\//.test(path))).toEqual([]);
    expect(filesWith(/(?<![\w.])fetch\(|new WebSocket\(/)).toEqual([]);
  });

  test('start programs in two places, and never by a shell', () => {
    expect(filesWith(PROGRAMS)).toEqual(
      expect.arrayContaining(['src/source/run-program.ts', 'src/store/cluster/run-plugin.ts']),
    );
    expect(filesWith(PROGRAMS)).toHaveLength(2);
    expect(filesWith(/\bshell: true|\bexecSync\(/)).toEqual([]);
  });

  test('evaluate no text but the parts of the program itself', () => {
    expect(filesWith(EVALUATION)).toEqual(['src/load-part.ts']);
  });

  test('know no request of those that reach into pods', () => {
    expect(filesWith(/\/(?:attach|portforward)\b|pods\/(?:exec|log|proxy)\b|\/log[?`]/)).toEqual([]);
  });
});

describe('the section on security', () => {
  const proofs = [...section.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);

  test('names a test for everything that is never done, and each is there', () => {
    expect(proofs.length).toBeGreaterThan(20);
    expect(proofs.filter((path) => !existsSync(path))).toEqual([]);
    const rows =
      section
        .split('| --- | --- |\n')
        .at(-1)
        ?.split('\n')
        .filter((row) => row.startsWith('| ')) ?? [];
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) expect(row).toMatch(/\| `test\/.*` \|$/);
  });

  test('fits a page', () => expect(section.split('\n').length).toBeLessThanOrEqual(45));
});
