import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
const NOW = ['--now', '2026-06-10T03:00:10Z'];
const ESCAPE = '\u001b';

describe('colour', () => {
  const ROWS: readonly (readonly [string, readonly string[], CliWorld, boolean])[] = [
    ['a terminal', [], { terminal: { stdout: true } }, true],
    ['no terminal', [], {}, false],
    ['a terminal with NO_COLOR', [], { terminal: { stdout: true }, env: { NO_COLOR: '1' } }, false],
    ['a terminal with an empty NO_COLOR', [], { terminal: { stdout: true }, env: { NO_COLOR: '' } }, true],
    ['a terminal that has none', [], { terminal: { stdout: true }, env: { TERM: 'dumb' } }, false],
    ['a terminal with --no-color', ['--no-color'], { terminal: { stdout: true } }, false],
    ['a terminal on stderr only', [], { terminal: { stderr: true } }, false],
  ];

  test.each(ROWS)('at %s', async (_name, more, world, coloured) => {
    const cwd = await temporaryFolder({ 'a.json': list(policy('p', DUE)) });
    const { stdout } = await runMinutehand(['plan', '-f', '.', ...NOW, ...more], { cwd, ...world });
    expect(stdout.includes(ESCAPE)).toBe(coloured);
  });

  test('never gets into data', async () => {
    const cwd = await temporaryFolder({ 'a.json': list(policy('p', DUE)) });
    const { stdout } = await runMinutehand(['plan', '-f', '.', ...NOW, '-ojson'], {
      cwd,
      terminal: { stdout: true },
    });
    expect(stdout).not.toContain(ESCAPE);
  });
});

describe('what is printed', () => {
  const files = {
    'a.json': list(policy('p', DUE), cronJob('c', { spec: { schedule: 5 } })),
    'b.yaml': 'kind: [',
  };

  test('is data on stdout and everything else on stderr', async () => {
    const cwd = await temporaryFolder(files);
    const { stdout, stderr } = await runMinutehand(['plan', '-f', '.', ...NOW], { cwd });
    expect(stdout).toContain('Plan for ');
    expect(stdout).not.toContain('b.yaml');
    expect(stderr).toContain('b.yaml:');
    expect(stderr).not.toContain('Plan for ');
  });

  test('is told in full by the document, diagnostics of files included', async () => {
    const cwd = await temporaryFolder(files);
    const { stdout } = await runMinutehand(['plan', '-f', '.', ...NOW, '-o', 'json'], { cwd });
    const { diagnostics } = JSON.parse(stdout);
    expect(diagnostics).toMatchObject([
      { code: 'InvalidField', place: { file: 'a.json' } },
      { code: 'InvalidYaml', place: { file: 'b.yaml' } },
    ]);
  });

  test('is the same document in YAML', async () => {
    const cwd = await temporaryFolder(files);
    const json = await runMinutehand(['plan', '-f', '.', ...NOW, '-o', 'json'], { cwd });
    const yaml = await runMinutehand(['plan', '-f', '.', ...NOW, '-o', 'yaml'], { cwd });
    expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout));
  });

  test('has the same bytes whatever the order of the files', async () => {
    const cwd = await temporaryFolder({
      'a.json': list(policy('p', DUE), cronJob('twice')),
      'b.json': list(cronJob('c', { spec: { schedule: 5 } }), policy('q', DUE), cronJob('twice')),
      'c.yaml': 'kind: [',
    });
    const orders = [
      ['a.json', 'b.json', 'c.yaml'],
      ['c.yaml', 'a.json', 'b.json'],
      ['b.json', 'c.yaml', 'a.json'],
    ];
    for (const output of ['text', 'json', 'yaml']) {
      const results = await Promise.all(
        orders.map((order) =>
          runMinutehand(['plan', ...order.flatMap((file) => ['-f', file]), ...NOW, '-o', output], { cwd }),
        ),
      );
      expect(new Set(results.map(({ stdout, stderr }) => stdout + stderr)).size).toBe(1);
    }
  });

  test('holds no control character, whatever the names and texts in manifests', async () => {
    const hostile = `x${ESCAPE}[2J\u202E\u0007`;
    const cwd = await temporaryFolder({
      'a.json': list(
        policy(hostile, { ...DUE, metadata: { uid: 'u' } }),
        cronJob('c', { spec: { timeZone: hostile, [hostile]: 1, schedule: `0 3 * * ${hostile}` } }),
      ),
    });
    for (const argv of [
      ['plan', ...NOW],
      ['validate'],
      ['next', ...NOW],
      ['explain', 'cj/c', ...NOW],
      ['plan', '-ojson', ...NOW],
    ]) {
      const { stdout, stderr } = await runMinutehand([...argv, '-f', '.'], { cwd });
      expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });

  test('masks what looks secret in the body of a run', async () => {
    const container = { name: 'main', image: 'busybox', env: [{ name: 'DB_PASSWORD', value: 'hunter2' }] };
    const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } };
    const cwd = await temporaryFolder({
      'a.json': list(cronJob('c', { ...DUE, spec: { jobTemplate } })),
      'm/c.yaml': 'cronJob: manage\n',
    });
    const { stdout } = await runMinutehand(['plan', '-f', '.', ...NOW, '--config', 'm/c.yaml', '-ojson'], {
      cwd,
    });
    expect(stdout).toContain('"DB_PASSWORD"');
    expect(stdout).not.toContain('hunter2');
  });
});
