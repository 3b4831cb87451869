import { execFileSync } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CliResult, type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const NOW = ['--now', '2026-06-10T03:00:10Z'];

/** The head lines of diagnostics. */
function heads(text: string): readonly string[] {
  return text.split('\n').filter((line) => /(^|: )(error|warning|note) [A-Z]/.test(line));
}

describe('pub-068: a checkout with links that leave it', () => {
  const SECRET = 'eyJhbGciOi-of-the-bot';
  const KUBECONFIG = `token ${SECRET}: {\napiVersion: v1\nkind: Config\n`;

  /** The checkout, with a kubeconfig and a manifest beside it. */
  async function checkout(): Promise<string> {
    const around = await temporaryFolder({
      'checkout/apps/ok.yaml': list(cronJob('ok')),
      'checkout/shared/cj.yaml': list(cronJob('in-repo')),
      'outside/kubeconfig': KUBECONFIG,
    });
    const cwd = join(around, 'checkout');
    await symlink('../../outside/kubeconfig', join(cwd, 'apps/evil.yaml'));
    await symlink('../../outside', join(cwd, 'apps/evil-folder'));
    await symlink('..', join(cwd, 'apps/loop'));
    await symlink('../shared/cj.yaml', join(cwd, 'apps/in-repo.yaml'));
    execFileSync('mkfifo', [join(cwd, 'apps/fifo.yaml')]);
    return cwd;
  }

  async function run(verb: string, cwd: string, ...paths: readonly string[]): Promise<CliResult> {
    const flags = paths.flatMap((path) => ['-f', path]);
    return runMinutehand([verb, ...flags, '-R', ...NOW], { cwd });
  }

  test.each(['plan', 'validate'])(
    'that a shell named among others: %s reads what is inside, and tells the rest by name',
    async (verb) => {
      const cwd = await checkout();
      const named = ['evil.yaml', 'fifo.yaml', 'in-repo.yaml', 'ok.yaml', 'evil-folder'];
      const result = await run(verb, cwd, ...named.map((name) => `apps/${name}`));
      const text = result.stdout + result.stderr;
      expect(result.code).toBe(3);
      expect(heads(text)).toEqual([
        'error FileUnreadable: apps/fifo.yaml is a device, socket or named pipe, not a file',
        'error LinkLeavesTree: apps/evil-folder is a link out of the working directory, to ../outside',
        'error LinkLeavesTree: apps/evil.yaml is a link out of the working directory, to ../outside/kubeconfig',
      ]);
      expect(text).not.toContain(SECRET);
      expect(text).toMatch(verb === 'plan' ? /2 schedules/ : /Checked 2 schedules of 2 objects/);
    },
  );

  test('that a folder holds: they are refused, and those inside make no endless walk', async () => {
    const cwd = await checkout();
    const { code, stderr, stdout } = await run('plan', cwd, '.');
    expect(code).toBe(3);
    expect(heads(stderr)).toEqual([
      'error FileUnreadable: apps/fifo.yaml is a device, socket or named pipe, not a file',
      'error LinkLeavesTree: apps/evil-folder is a link out of the folder, to ../../outside',
      'error LinkLeavesTree: apps/evil.yaml is a link out of the folder, to ../../outside/kubeconfig',
    ]);
    expect(stdout).toContain('2 schedules');
    expect(stdout + stderr).not.toContain(SECRET);
  });

  test('a pattern that no shell has replaced is no file, and that is told', async () => {
    const cwd = await checkout();
    const { code, stderr } = await run('plan', cwd, 'apps/**/*.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('error FileUnreadable: apps/**/*.yaml does not exist');
    expect(stderr).toContain('patterns are the business of the shell');
  });

  test('what is refused does not count as deleted', async () => {
    const cwd = await checkout();
    const state = ['--state', 'state', '--prune', '-o', 'json'];
    const args = ['reconcile', '-R', ...state, ...NOW];
    await rm(join(cwd, 'apps/fifo.yaml'));
    await rm(join(cwd, 'apps/evil-folder'));
    await runMinutehand([...args, '-f', 'shared'], { cwd });
    const { code, stdout } = await runMinutehand([...args, '-f', 'apps/evil.yaml', '-f', 'apps/ok.yaml'], {
      cwd,
    });
    expect(code).toBe(3);
    expect(JSON.parse(stdout).changeSet.diagnostics.map((one: { code: string }) => one.code)).not.toContain(
      'Pruned',
    );
  });
});

describe('pub-069: control sequences in messages, annotations and names of files', () => {
  const HOSTILE =
    '\u001b[2J\u001b[1;1HAll good\rOK   \u001b]8;;http://evil.test\u0007click\u001b]8;;\u0007 \u009b31m \u202egnp.yaml\n::error::x';
  const ansi = cronJob('ansi', {
    metadata: { annotations: { note: HOSTILE, [`${HOSTILE}/x`]: 'y' } },
    status: { conditions: [{ type: 'Ready', status: 'False', message: HOSTILE }] },
  });
  const bad = policy('bad', { spec: { schedule: HOSTILE, suspend: HOSTILE } });
  const held = policy('held', {
    metadata: { annotations: { 'minutehand.dev/run-now': HOSTILE } },
    status: { conditions: [{ type: 'Active', status: 'False', reason: 'X', message: HOSTILE }] },
  });
  const FILE = 'apps/\u001b[31mred\u202e.yaml';
  /** All that a terminal or a log would act on, the line break aside. */
  const ACTIVE = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u;

  async function world(): Promise<string> {
    return temporaryFolder({
      [FILE]: list(ansi, bad, held),
      'apps/\u001b[2Jbroken.yaml': `a: [\n${HOSTILE}`,
      'apps/b\r\n::error::c.yaml': 'x: 1\n',
    });
  }

  const VERBS: readonly (readonly string[])[] = [
    ['plan'],
    ['plan', '--grace', '0s'],
    ['validate'],
    ['next', '--for', '48h'],
    ['explain', 'cronjob/ansi', '-n', 'harbor'],
    ['explain', 'etcddefragpolicy/held', '-n', 'vault-a'],
  ];
  const STREAMS: readonly (readonly [string, CliWorld])[] = [
    ['a terminal', { terminal: { stdout: true, stderr: true, columns: 100 }, env: { NO_COLOR: '1' } }],
    ['a pipe', {}],
  ];

  test.each(VERBS.flatMap((argv) => STREAMS.map(([name, io]) => [argv.join(' '), name, argv, io] as const)))(
    '`%s` to %s gives no byte that acts, and no line that somebody else wrote',
    async (_, _stream, argv, io) => {
      const cwd = await world();
      const result = await runMinutehand([...argv, '-f', 'apps', ...NOW], { ...io, cwd });
      const text = result.stdout + result.stderr;
      expect(text.replaceAll('\r\u001b[K', '')).not.toMatch(ACTIVE);
      expect(text.split('\n').filter((line) => line.trimStart().startsWith('::'))).toEqual([]);
      expect(text).not.toBe('');
    },
  );

  test('names and values are shown in full, with escapes', async () => {
    const cwd = await world();
    const { stdout } = await runMinutehand(['validate', '-f', 'apps', ...NOW], { cwd });
    expect(stdout).toContain('apps/\\x1b[31mred\\u202e.yaml:1:');
    expect(stdout).toContain('apps/\\x1b[2Jbroken.yaml:');
    expect(stdout).toContain('apps/b\\r\\n::error::c.yaml:1:1: warning NotAnObject');
  });

  test.each(['json', 'yaml'])('%s output holds the same texts, escaped by its own rules', async (format) => {
    const cwd = await world();
    const { stdout } = await runMinutehand(['plan', '-f', 'apps', '-o', format, ...NOW], { cwd });
    expect(stdout).not.toMatch(ACTIVE);
    const { parse } = await import('yaml');
    const files = parse(stdout).diagnostics.map((one: { place: { file: string } }) => one.place.file);
    expect(files).toContain(FILE);
  });
});
