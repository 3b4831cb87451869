import { describe, expect, test } from 'vitest';
import type { Diagnostic, Severity } from '#core/diagnostic.ts';
import { githubAnnotations } from '#render/github-annotations.ts';
import { repositoryPaths } from '#render/repository-path.ts';
import {
  BAD_MINUTE,
  HOSTILE_TEXTS,
  hostileFinding,
  placeAt,
  SECRET_FINDINGS,
  SECRETS,
  UNKNOWN_FIELD,
} from './findings.ts';

const pathOf = repositoryPaths({ root: '/clone' });

interface Annotation {
  readonly kind: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = {
    '0D': '\r',
    '0A': '\n',
    '3A': ':',
    '2C': ',',
    '25': '%',
  };
  return text.replace(/%(0D|0A|3A|2C|25)/g, (_whole, code: string) => characters[code] ?? '');
}

/** Reads lines as the runner does: up to the second pair of colons, properties at commas. */
function annotations(text: string): readonly Annotation[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, kind = '', list = '', message = ''] = /^::(\w+)(?: (.*?))?::(.*)$/.exec(line) ?? [];
      const pairs = list.split(',').map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at), unescaped(pair.slice(at + 1))];
      });
      return { kind, properties: Object.fromEntries(pairs), message: unescaped(message) };
    });
}

test('a finding is a command with its place, code, object and text', () => {
  expect(githubAnnotations([UNKNOWN_FIELD, BAD_MINUTE], { pathOf })).toBe(
    `::error file=jobs/dump.yaml,line=12,col=13,title=InvalidSchedule%3A CronJob harbor/dump::minute \`61\` cannot be read%0Awhy: \`61\` is not in 0 to 59%0Afix: write a value from 0 to 59
::warning file=jobs/dump.yaml,line=9,col=3,title=UnknownField%3A CronJob harbor/dump::spec.paused is no field of CronJob
`,
  );
});

test('nothing found is nothing', () => {
  expect(githubAnnotations([], { pathOf })).toBe('');
});

describe('no more of a kind than GitHub shows', () => {
  const many = (count: number, severity: Severity): readonly Diagnostic[] =>
    Array.from({ length: count }, (_, index) => ({ ...BAD_MINUTE, severity, place: placeAt(index + 1) }));

  test('ten are shown as they are', () => {
    const shown = annotations(githubAnnotations(many(10, 'error'), { pathOf }));
    expect(shown.map(({ properties }) => properties['line'])).toEqual(
      [...Array(10).keys()].map((n) => `${n + 1}`),
    );
  });

  test('of more, the last counts the others and says where they are', () => {
    const all = [...many(11, 'note'), ...many(12, 'error'), ...many(1_500, 'warning')];
    const shown = annotations(githubAnnotations(all, { pathOf, fullReport: 'in out.sarif' }));
    expect(shown.map(({ kind }) => kind)).toEqual([
      ...Array(10).fill('error'),
      ...Array(10).fill('warning'),
      ...Array(10).fill('notice'),
    ]);
    expect([shown[9], shown[19], shown[29]].map((one) => one?.message)).toEqual([
      '3 more errors: all of them are in out.sarif',
      '1,491 more warnings: all of them are in out.sarif',
      '2 more notes: all of them are in out.sarif',
    ]);
  });
});

describe('places', () => {
  const shown = (file: string): Annotation | undefined =>
    annotations(githubAnnotations([{ ...BAD_MINUTE, place: placeAt(3, 4, file) }], { pathOf }))[0];

  test.each(['jobs/a,b.yaml', 'jobs/a:b.yaml', 'jobs/100%.yaml', 'jobs/a=b::c.yaml', 'jobs/日本 x.yaml'])(
    '%s is found as it is',
    (file) => {
      expect(shown(file)?.properties).toMatchObject({ file, line: '3', col: '4' });
    },
  );

  test.each(['-', '/etc/a.yaml', '../a.yaml', 'jobs/a\nb.yaml', 'jobs/\u202eb.yaml'])(
    '%j is no file of the tree that can be named, and stands in the message',
    (file) => {
      const one = shown(file);
      expect(Object.keys(one?.properties ?? {})).toEqual(['title']);
      expect(one?.message).toMatch(/^\S+:3:4: minute/);
    },
  );
});

test.each(HOSTILE_TEXTS)('%j gives one command of ours on one line', (text) => {
  const output = githubAnnotations([hostileFinding(text)], { pathOf });
  expect(output).not.toMatch(/(?!\n$)[\p{Cc}\p{Cf}\p{Cs}]/u);
  expect(output).not.toContain('##[');
  const [one, ...rest] = annotations(output);
  expect(rest).toEqual([]);
  expect(one?.kind).toBe('error');
  expect(
    Object.keys(one?.properties ?? {}).filter((name) => !['file', 'line', 'col', 'title'].includes(name)),
  ).toEqual([]);
  expect(one?.properties['title']).toMatch(/^InvalidField: CronJob harbor\//);
  // What the runner makes of the message holds no command either.
  expect(one?.message.split('\n').filter((line) => /^\s*::/.test(line))).toEqual([]);
});

test('pub-071: no secret is told', () => {
  const text = githubAnnotations(SECRET_FINDINGS, { pathOf });
  for (const secret of SECRETS) expect(text).not.toContain(secret);
  expect(text).toContain('(masked 1)');
});
