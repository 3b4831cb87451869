import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '#core/diagnostic.ts';
import { repositoryPaths } from '#render/repository-path.ts';
import { type SarifLimits, sarifText } from '#render/sarif.ts';
import { sarifFaults } from '#test/support/sarif-schema.ts';
import {
  BAD_MINUTE,
  DUMP,
  HOSTILE_TEXTS,
  hostileFinding,
  placeAt,
  SECRET_FINDINGS,
  SECRETS,
  UNKNOWN_FIELD,
} from './findings.ts';

interface Message {
  readonly text: string;
}

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: Message;
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region: { readonly startLine: number; readonly startColumn: number };
    };
  }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}

interface Run {
  readonly tool: {
    readonly driver: { readonly rules: readonly { readonly id: string; readonly help: Message }[] };
  };
  readonly results: readonly Result[];
  readonly invocations: readonly {
    readonly toolExecutionNotifications?: readonly { readonly level: string; readonly message: Message }[];
  }[];
}

function render(diagnostics: readonly Diagnostic[], limits?: SarifLimits): { text: string; run: Run } {
  const text = sarifText(diagnostics, {
    version: '0.1.0',
    verb: 'validate',
    pathOf: repositoryPaths({ root: '/clone' }),
    ...(limits === undefined ? {} : { limits }),
  });
  const log = JSON.parse(text);
  expect(sarifFaults(log)).toEqual([]);
  return { text, run: log.runs[0] };
}

function urisOf({ results }: Run): readonly string[] {
  return results.map(({ locations }) => locations[0]?.physicalLocation.artifactLocation.uri ?? '');
}

function notificationsOf({ invocations }: Run): readonly string[] {
  return (invocations[0]?.toolExecutionNotifications ?? []).map(({ message }) => message.text);
}

test('the schema refuses what is no SARIF', () => {
  expect(sarifFaults({ version: '2.1.0', runs: [{ tool: { driver: {} } }] })).not.toEqual([]);
  expect(
    sarifFaults({ version: '2.1.0', runs: [{ tool: { driver: { name: 'a' } }, results: [{}] }] }),
  ).not.toEqual([]);
});

test('a finding is a result with its rule, level, message and place', () => {
  const { run } = render([UNKNOWN_FIELD, BAD_MINUTE]);
  expect(run.results).toMatchObject([
    {
      ruleId: 'InvalidSchedule',
      ruleIndex: 0,
      level: 'error',
      message: {
        text: 'minute `61` cannot be read\nwhy: `61` is not in 0 to 59\nfix: write a value from 0 to 59',
      },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'jobs/dump.yaml' },
            region: { startLine: 12, startColumn: 13 },
          },
          logicalLocations: [{ name: 'dump', fullyQualifiedName: 'batch/CronJob/harbor/dump' }],
        },
      ],
    },
    { ruleId: 'UnknownField', ruleIndex: 1, level: 'warning' },
  ]);
  expect(run.tool.driver.rules.map(({ id }) => id)).toEqual(['InvalidSchedule', 'UnknownField']);
  expect(run.tool.driver.rules[0]?.help.text).toBe('The schedule cannot be read, so that it never fires.');
});

test('nothing found is a run without results', () => {
  const { run } = render([]);
  expect({ results: run.results, notifications: notificationsOf(run) }).toEqual({
    results: [],
    notifications: [],
  });
});

test('the same findings give the same bytes in any order', () => {
  const all = [BAD_MINUTE, UNKNOWN_FIELD, ...SECRET_FINDINGS];
  expect(render([...all].reverse()).text).toBe(render(all).text);
});

describe('the fingerprint of a finding', () => {
  const of = (diagnostics: readonly Diagnostic[]): readonly string[] =>
    render(diagnostics).run.results.map(({ partialFingerprints }) =>
      Object.values(partialFingerprints).join(),
    );

  test('stays when its line moves', () => {
    expect(of([{ ...BAD_MINUTE, place: placeAt(99, 1) }])).toEqual(of([BAD_MINUTE]));
    expect(of([{ ...BAD_MINUTE, place: placeAt(12, 13, 'moved.yaml') }])).toEqual(of([BAD_MINUTE]));
  });

  test('is another one for another field, object or code, and for a second of its kind', () => {
    const others = [
      BAD_MINUTE,
      { ...BAD_MINUTE, path: ['spec', 'timeZone'] },
      { ...BAD_MINUTE, object: { ...DUMP, name: 'other' } },
      { ...BAD_MINUTE, code: 'NeverFires' as const },
      { ...BAD_MINUTE, what: 'hour `61` cannot be read' },
      { ...BAD_MINUTE, object: undefined },
    ].map(({ object, ...rest }) => (object === undefined ? rest : { ...rest, object }));
    expect(new Set(of(others)).size).toBe(others.length);
  });
});

describe('paths', () => {
  const uriOf = (file: string): readonly string[] =>
    urisOf(render([{ ...BAD_MINUTE, place: placeAt(1, 1, file) }]).run);

  test.each([
    ['jobs/a b.yaml', 'jobs/a%20b.yaml'],
    ['c:d.yaml', 'c%3Ad.yaml'],
    ['a?b#c%20.yaml', 'a%3Fb%23c%2520.yaml'],
    ['日本.yaml', '%E6%97%A5%E6%9C%AC.yaml'],
    ['./jobs//x/../a.yaml', 'jobs/a.yaml'],
    ['/clone/jobs/a.yaml', 'jobs/a.yaml'],
    ['a\ud800.yaml', 'a%EF%BF%BD.yaml'],
  ])('%s is %s', (file, uri) => {
    expect(uriOf(file)).toEqual([uri]);
  });

  test.each(['-', '/etc/a.yaml', '../a.yaml', '/elsewhere/a.yaml'])(
    'the finding in %s, outside the tree, is one about the run',
    (file) => {
      const { run, text } = render([{ ...BAD_MINUTE, place: placeAt(1, 1, file) }]);
      expect(run.results).toEqual([]);
      expect(notificationsOf(run)).toEqual([expect.stringContaining('minute `61` cannot be read')]);
      expect(text).not.toContain('/etc');
      expect(text).not.toContain('/home');
    },
  );

  test('files of a revision are those of the tree only if it is the head', () => {
    const files = ['feature:jobs/a.yaml', 'main:jobs/a.yaml', 'jobs/a.yaml'];
    const paths = (given: { head?: string; base?: string }): readonly (string | undefined)[] =>
      files.map((file) => repositoryPaths({ root: '/w', ...given })(placeAt(1, 1, file)));
    expect(paths({ head: 'feature', base: 'main' })).toEqual(['jobs/a.yaml', undefined, undefined]);
    expect(paths({ base: 'main' })).toEqual(['feature:jobs/a.yaml', undefined, 'jobs/a.yaml']);
  });
});

describe('more than a host takes', () => {
  const many = Array.from(
    { length: 100 },
    (_, index): Diagnostic => ({
      ...UNKNOWN_FIELD,
      severity: index === 99 ? 'error' : 'warning',
      place: placeAt(index + 1),
    }),
  );

  test('is cut by count, the most severe first, and said so', () => {
    const { run } = render(many, { results: 10, bytes: 1_000_000 });
    expect(run.results.map(({ level }) => level)).toEqual(['error', ...Array(9).fill('warning')]);
    expect(notificationsOf(run)).toEqual([
      '90 findings of 100 are left out, the least severe, because a host takes no larger file',
    ]);
  });

  test('is cut by size, however large the texts are', () => {
    const large = many.map((one) => ({ ...one, why: '日本'.repeat(200) }));
    const { run, text } = render(large, { results: 1_000, bytes: 40_000 });
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(40_000);
    expect(run.results.length).toBeGreaterThan(10);
    expect(notificationsOf(run)).toHaveLength(1);
  });

  test('25,000 results fit, one more does not', () => {
    const short = Array.from(
      { length: 25_001 },
      (_, index): Diagnostic => ({
        code: 'UnknownField',
        severity: 'warning',
        place: placeAt(index + 1, 1, 'a.yaml'),
        what: 'x',
      }),
    );
    const { run, text } = render(short);
    expect(run.results).toHaveLength(25_000);
    expect(text.length).toBeLessThan(10_000_000);
    expect(notificationsOf(run)).toHaveLength(1);
  });
});

test.each(HOSTILE_TEXTS)('%j is text and nothing else', (text) => {
  const { run, text: bytes } = render([hostileFinding(text)]);
  expect(bytes).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
  const shown = [...run.results.map(({ message }) => message.text), ...notificationsOf(run)].join();
  expect(shown).not.toMatch(/(?<!\\)\[[^[\]]*\]\(/);
});

test('pub-071: no secret is told', () => {
  const { text } = render(SECRET_FINDINGS);
  for (const secret of SECRETS) expect(text).not.toContain(secret);
  expect(text).toContain('(masked 1)');
});
