import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { type CliResult, type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, job, list, policy } from './manifests.ts';

const NOW = ['--now', '2026-06-10T12:00:00Z'];
const BEFORE = list(policy('night', { spec: { schedule: '0 3 * * *' } }));
const AFTER = list(policy('night', { spec: { schedule: '0 13 * * *' } }));
const CAN_BUILD = ['kustomize', 'kubectl'].some(
  (program) => spawnSync(program, ['version']).error === undefined,
);
const NO_BUILDER = 'neither kustomize nor kubectl is on the PATH';
const SIDES = { 'base/a.json': BEFORE, 'head/a.json': AFTER };

async function diff(
  files: Readonly<Record<string, string>>,
  argv: readonly string[],
  world: CliWorld = {},
): Promise<CliResult> {
  const cwd = await temporaryFolder(files);
  return runMinutehand(['diff', ...NOW, ...argv], { cwd, ...world });
}

async function repository(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = await temporaryFolder(files);
  const git = async (...args: readonly string[]): Promise<void> => {
    await execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd });
  };
  await git('init', '-q', '-b', 'main');
  await git('add', '.');
  await git('commit', '-q', '-m', 'base');
  return cwd;
}

describe('the sides of a diff', () => {
  const CHANGED = expect.stringContaining('spec.schedule: 0 3 * * * → 0 13 * * *');

  test('are two folders', async () => {
    const { code, stdout } = await diff(SIDES, ['-f', 'head', '--base', 'base']);
    expect(stdout).toEqual(CHANGED);
    expect(stdout).toContain('base → head, as of');
    expect(code).toBe(0);
  });

  test('are a revision and the files as they are, and the work tree stays as it is', async () => {
    const cwd = await repository({ 'deploy/a.json': BEFORE });
    await writeFile(`${cwd}/deploy/a.json`, AFTER);
    const { stdout, code } = await runMinutehand(['diff', '-f', 'deploy', '--base', 'git:main', ...NOW], {
      cwd,
    });
    expect(stdout).toEqual(CHANGED);
    expect(stdout).toContain('git:main → deploy, as of');
    expect(code).toBe(0);
    const status = await execa('git', ['status', '--porcelain'], { cwd });
    expect(status.stdout).toBe(' M deploy/a.json');
  });

  test('are two revisions', async () => {
    const cwd = await repository({ 'deploy/a.json': BEFORE });
    await writeFile(`${cwd}/deploy/a.json`, AFTER);
    await execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qam', 'head'], {
      cwd,
    });
    await writeFile(`${cwd}/deploy/a.json`, 'not looked at: [');
    const argv = ['diff', '-f', 'deploy', '--base', 'git:HEAD~1', '--head', 'git:HEAD', ...NOW];
    const { stdout, code } = await runMinutehand(argv, { cwd });
    expect(stdout).toEqual(CHANGED);
    expect(code).toBe(0);
  });

  test('are a folder and standard input', async () => {
    const { stdout, code } = await diff(SIDES, ['-f', '-', '--base', 'base'], { stdin: AFTER });
    expect(stdout).toEqual(CHANGED);
    expect(stdout).toContain('base → standard input, as of');
    expect(code).toBe(0);
  });

  test('are a kustomization as it is and as a revision has it', async ({ skip }) => {
    if (!CAN_BUILD) skip(NO_BUILDER);
    const cwd = await repository({
      'base/a.json': JSON.stringify(JSON.parse(BEFORE).items[0]),
      'base/kustomization.yaml': 'resources: [a.json]\n',
    });
    await writeFile(`${cwd}/base/a.json`, JSON.stringify(JSON.parse(AFTER).items[0]));
    const { code, stdout } = await runMinutehand(['diff', '-k', 'base', '--base', 'git:main', ...NOW], {
      cwd,
    });
    expect(stdout).toEqual(CHANGED);
    expect(stdout).toContain('kustomization base of git:main → kustomization base, as of');
    expect(code).toBe(0);
  });

  test('are two kustomizations', async ({ skip }) => {
    if (!CAN_BUILD) skip(NO_BUILDER);
    const kustomization = 'resources: [a.json]\nnamespace: prod\n';
    const { stdout, code, stderr } = await diff(
      {
        'base/a.json': JSON.stringify(JSON.parse(BEFORE).items[0]),
        'head/a.json': JSON.stringify(JSON.parse(AFTER).items[0]),
        'base/kustomization.yaml': kustomization,
        'head/kustomization.yaml': kustomization,
      },
      ['-k', 'head', '--base', 'base'],
    );
    expect(stderr).toBe('');
    expect(stdout).toEqual(CHANGED);
    expect(stdout).toContain('EtcdDefragPolicy prod/night');
    expect(code).toBe(0);
  });
});

describe('folders below', () => {
  const files = { 'deploy/a.json': AFTER, 'deploy/below/b.json': list(policy('below')) };

  test.each([
    ['with -R', ['-R'], '2 schedules'],
    ['without', [], '1 schedule'],
  ])('are read on both sides %s', async (_name, recursive, count) => {
    const sides = [
      ['-f', 'deploy', '--base', 'deploy'],
      ['--base', 'deploy', '--head', 'deploy'],
    ];
    for (const side of sides) {
      const { code, stdout, stderr } = await diff(files, [...recursive, ...side, '--detailed-exitcode']);
      expect(stdout).toContain(`No change to the firings of ${count}: deploy → deploy`);
      expect(stderr).toBe('');
      expect(code).toBe(0);
    }
    const cwd = await repository(files);
    const argv = ['diff', ...recursive, '-f', 'deploy', '--base', 'git:main', ...NOW];
    const { stdout } = await runMinutehand(argv, { cwd });
    expect(stdout).toContain(`No change to the firings of ${count}: git:main → deploy`);
  });
});

test.each([
  [
    'a namespace without schedules',
    ['-n', 'nope'],
    'no schedules were found in namespace nope; 1 schedule was left out',
  ],
  [
    'labels that none has',
    ['-l', 'a=b'],
    'neither side has a schedule with these labels; 1 schedule was left out',
  ],
  ['pruning without a cluster', ['--prune'], '--prune has no effect: the base is no cluster'],
  ['paths that are not read', ['--head', 'head'], '-f has no effect: --base and --head name both sides'],
  [
    'an acknowledgement without its namespace',
    ['--acknowledge', 'fires-now=night'],
    '--acknowledge fires-now=night fits no schedule that changes: write fires-now=vault-a/night',
  ],
])('%s: what has no effect is said', async (_name, flags, want) => {
  const { code, stderr } = await diff(SIDES, ['-f', 'head', '--base', 'base', ...flags]);
  expect(stderr).toBe(`note: ${want}\n`);
  expect(code).toBe(0);
});

describe('what ran so far', () => {
  test('is told as far as manifests spell it out, and what is counted is known', async () => {
    const done = {
      conditions: [{ type: 'Complete', status: 'True' }],
      completionTime: '2026-06-09T03:04:00Z',
    };
    const runs = [job('done', 'dump', done), job('busy', 'dump', { active: 1 })];
    const schedule = cronJob('dump');
    const sides = { 'base/a.json': list(schedule, ...runs), 'head/a.json': list(policy('night')) };
    const argv = ['-f', 'head', '--base', 'base', '--fail-on', 'cancels,prunes'];
    const { code, stdout, stderr } = await diff(sides, argv);
    expect(stdout).toContain('1 run is cancelled and 1 run is pruned.');
    expect(stdout.replaceAll('\n', ' ')).toContain('is told of the runs among the manifests alone.');
    expect(stdout).not.toContain('not known');
    expect(stderr).toContain(
      'note: cancels and prunes trip only where --statuses or --state tells what ran, and on runs among the manifests\n',
    );
    expect(code).toBe(3);
    const { stdout: without } = await diff({ ...sides, 'base/a.json': list(schedule) }, argv);
    expect(without.replaceAll('\n', ' ')).toContain('What a merge cancels and prunes is not known.');
    expect(without).not.toContain('pruned');
  });

  const RAN = { status: { lastScheduleTime: '2026-06-10T11:00:00Z' } };
  const EARLIER = list(policy('night', { spec: { schedule: '0 10 * * *' } }));

  test('comes from a capture, at the time of which the sides are compared', async () => {
    const cwd = await temporaryFolder({
      'base/a.json': BEFORE,
      'head/a.json': EARLIER,
      'live/a.json': list(policy('night', RAN)),
    });
    const captured = await runMinutehand(['capture', '-f', 'live', ...NOW], { cwd });
    await writeFile(`${cwd}/capture.yaml`, captured.stdout);
    const argv = ['diff', '-f', 'head', '--base', 'base', '--statuses'];
    const none = await runMinutehand([...argv, 'none', ...NOW], { cwd });
    expect(none.stdout).toContain('fires now');
    const { stdout, code } = await runMinutehand([...argv, 'capture.yaml'], { cwd });
    expect(stdout).toContain('as of Wed 2026-06-10 12:00 UTC');
    expect(stdout).not.toContain('No statuses were given');
    expect(stdout).not.toContain('fires now');
    expect(code).toBe(0);
  });

  test('fails where the capture is none', async () => {
    const argv = ['-f', 'head', '--base', 'base', '--statuses', 'head/a.json'];
    const { code, stdout, stderr } = await diff(SIDES, argv);
    expect(stderr).toContain('head/a.json');
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  test('fails where there is no such file', async () => {
    const argv = ['-f', 'head', '--base', 'base', '--statuses', 'clutser'];
    const { code, stderr } = await diff(SIDES, argv);
    expect(stderr).toContain('clutser does not exist');
    expect(code).toBe(1);
  });
});

describe('a state folder that cannot be used', () => {
  const OVERLAP = 'which manifests are read from, lies in it';
  test.each<readonly [string, Readonly<Record<string, string>>, string, string]>([
    ['somebody else has it', { 'state/notes.txt': '' }, 'state', 'holds what is not ours: notes.txt'],
    ['it is the whole repository', {}, '.', OVERLAP],
    ['what describes it makes no sense', { 'state/meta.json': '{' }, 'state', 'meta.json makes no sense'],
    [
      'a newer build wrote it',
      { 'state/meta.json': '{"formatVersion":99,"resourceVersion":1}' },
      'state',
      'has format version 99',
    ],
  ])('%s: told alone, as one that is missing', async (_name, files, state, message) => {
    for (const output of ['text', 'json', 'markdown']) {
      const argv = ['-f', 'head', '--base', 'base', '--state', state, '-o', output];
      const { code, stdout, stderr } = await diff({ ...SIDES, ...files }, argv);
      expect(stdout).toBe('');
      expect(stderr).toContain(message);
      expect(stderr).toContain('1 error.');
      expect(stderr).not.toContain('neither side has a schedule');
      expect(code).toBe(64);
    }
  });

  test('counts also where only the head lies in it', async () => {
    const cwd = await repository({ 'deploy/a.json': BEFORE });
    const argv = ['diff', '-f', 'deploy', '--base', 'git:main', '--state', '.', ...NOW];
    const { code, stdout, stderr } = await runMinutehand(argv, { cwd });
    expect(stdout).toBe('');
    expect(stderr).toContain('cannot be used');
    expect(code).toBe(64);
  });

  test('is another matter than one that is empty', async () => {
    const cwd = await temporaryFolder(SIDES);
    await mkdir(`${cwd}/state`);
    const argv = ['diff', '-f', 'head', '--base', 'base', '--state', 'state', ...NOW];
    expect(await runMinutehand(argv, { cwd })).toMatchObject({ code: 0, stderr: '' });
  });

  /** A capture of CronJobs and policies in which some lists could not be read. */
  async function unreadCapture(isUnread: (plural: JsonObject) => boolean, sides = SIDES): Promise<string> {
    const cwd = await temporaryFolder({ ...sides, 'live/a.json': list(policy('night'), cronJob('dump')) });
    const { stdout: whole } = await runMinutehand(['capture', '-f', 'live', '-o', 'json', ...NOW], { cwd });
    const capture = JSON.parse(whole);
    const lists = capture.lists.map(({ objects, ...head }: JsonObject) =>
      isUnread(head) ? { ...head, state: 'unreadable', reason: 'forbidden' } : { ...head, objects },
    );
    await writeFile(`${cwd}/capture.json`, JSON.stringify({ ...capture, lists }));
    return cwd;
  }
  const BY_CAPTURE = ['diff', '-f', 'head', '--base', 'base', '--statuses', 'capture.json'];

  test('nothing is compared by a capture of which no list could be read', async () => {
    const cwd = await unreadCapture(() => true);
    const { code, stdout, stderr } = await runMinutehand(BY_CAPTURE, { cwd });
    expect(stdout).toBe('');
    expect(stderr).toContain('could not be read: forbidden');
    expect(code).toBe(1);
  });

  describe('of schedules whose list could not be read, beside others', () => {
    const isCronJobs = ({ kind }: JsonObject): boolean => kind === 'CronJob';
    const dump = cronJob('dump');
    const later = cronJob('dump', { spec: { schedule: '0 5 * * *' } });
    const sidesOf = (base: readonly JsonObject[], head: readonly JsonObject[]): typeof SIDES => ({
      'base/a.json': list(policy('night'), ...base),
      'head/a.json': list(policy('night'), ...head),
    });

    test.each([
      ['one is added', [], [dump], 'spec.schedule', false],
      ['one is removed', [dump], [], 'spec.schedule', false],
      ['one is changed', [dump], [later], 'spec.schedule: 0 3 * * * → 0 5 * * *', true],
    ])('%s: it is not passed over', async (_name, base, head, field, isTold) => {
      const cwd = await unreadCapture(isCronJobs, sidesOf(base, head));
      const { code, stdout } = await runMinutehand(BY_CAPTURE, { cwd });
      expect(stdout).toContain('Schedules: 1 changed, 1 unchanged.');
      expect(stdout).toContain('changed  CronJob harbor/dump');
      expect(stdout).toContain('what becomes of its firings and runs is not known');
      expect(stdout.includes(field)).toBe(isTold);
      expect(code).toBe(3);
      const others = await runMinutehand([...BY_CAPTURE, '-n', 'vault-a'], { cwd });
      expect(others.stdout).toMatch(/^No change to the firings of 1 schedule:/);
    });

    test('one that stands there alike is no change', async () => {
      const cwd = await unreadCapture(isCronJobs, sidesOf([dump], [dump]));
      const { code, stdout } = await runMinutehand(BY_CAPTURE, { cwd });
      expect(stdout).toMatch(/^No change to the firings of 1 schedule:/);
      expect(code).toBe(3);
    });
  });
});

describe('bounds of flags', () => {
  test.each([
    ['--window', '92d', '93d', 'at most 92d'],
    ['--comment-limit', '4000', '3999', 'at least 4000'],
  ])('of %s are told by the help', async (flag, last, beyond, told) => {
    const argv = ['-f', 'head', '--base', 'base', flag];
    expect((await diff(SIDES, [...argv, last])).code).toBe(0);
    expect((await diff(SIDES, [...argv, beyond])).code).toBe(64);
    const { stdout } = await runMinutehand(['diff', '--help']);
    expect(stdout).toMatch(new RegExp(`${flag} [^\\n]*${told}`));
  });
});

describe('a diff that cannot be made', () => {
  test.each<readonly [string, readonly string[], string]>([
    ['nothing to compare', [], 'say what is compared: -f PATH, or -k FOLDER'],
    ['files and a kustomization', ['-f', 'head', '-k', 'head'], 'give one of them'],
    ['an empty revision', ['-f', 'head', '--base', 'git:'], 'write a revision behind git:'],
    ['two readers of one stream', ['-f', '-', '--base', '-'], 'both sides read standard input'],
    ['standard input of a revision', ['-f', '-', '--base', 'git:main'], 'standard input has no revisions'],
    ['a cluster as head', ['-f', 'head', '--base', 'base', '--head', 'cluster'], 'can only be the base'],
    [
      'two sources of statuses',
      ['-f', 'head', '--base', 'base', '--state', 's', '--statuses', 'none'],
      'give one',
    ],
    [
      'a state folder that is not there',
      ['-f', 'head', '--base', 'base', '--state', 's'],
      '--state: there is no folder s that could tell what ran so far',
    ],
    ['a state folder beside a cluster', ['-f', 'head', '--state', 's'], '--state stands for a cluster'],
    ['an unknown guard', ['-f', 'head', '--base', 'base', '--fail-on', 'fire'], 'is no guard'],
    ['a peak without a number', ['-f', 'head', '--base', 'base', '--fail-on', 'peak'], 'needs a number'],
    ['an unknown acknowledgement', ['-f', 'head', '--base', 'base', '--acknowledge', 'x'], 'is no guard'],
    ['a window of nothing', ['-f', 'head', '--base', 'base', '--window', '0d'], 'is no time at all'],
    ['a window of years', ['-f', 'head', '--base', 'base', '--window', '200d'], 'at most 92d'],
    ['a window of words', ['-f', 'head', '--base', 'base', '--window', 'week'], 'is not a length of time'],
  ])('%s is a usage error', async (_name, argv, message) => {
    const { code, stdout, stderr } = await diff(SIDES, argv);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(64);
  });

  test('an unknown revision fails, and nothing is taken for new', async () => {
    const cwd = await repository({ 'deploy/a.json': BEFORE });
    const argv = ['diff', '-f', 'deploy', '--base', 'git:origin/main', ...NOW];
    const { code, stdout, stderr } = await runMinutehand(argv, { cwd });
    expect(stderr).toContain('RevisionUnreadable');
    expect(stderr).not.toContain('git:git:');
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  test('a missing folder fails', async () => {
    const { code, stdout, stderr } = await diff(SIDES, ['-f', 'head', '--base', 'bse']);
    expect(stderr).toContain('bse does not exist');
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });
});

describe('exit codes of a diff', () => {
  test.each<readonly [string, readonly string[], number]>([
    ['changes are fine', [], 0],
    ['changes with --detailed-exitcode', ['--detailed-exitcode'], 2],
    ['a guard that is not tripped', ['--fail-on', 'cancels,prunes'], 0],
    ['a guard that is tripped', ['--fail-on', 'peak>0'], 3],
    ['a guard wins over --detailed-exitcode', ['--fail-on', 'peak>0', '--detailed-exitcode'], 3],
    ['a peak that is acknowledged', ['--fail-on', 'peak>0', '--acknowledge', 'peak'], 0],
  ])('%s', async (_name, argv, want) => {
    expect((await diff(SIDES, ['-f', 'head', '--base', 'base', ...argv])).code).toBe(want);
  });

  test('no change is one line, whatever is asked for', async () => {
    const same = { 'base/a.json': BEFORE, 'head/a.json': BEFORE };
    const { code, stdout } = await diff(same, ['-f', 'head', '--base', 'base', '--detailed-exitcode']);
    expect(stdout).toMatch(/^No change to the firings of 1 schedule: .*\n$/);
    expect(code).toBe(0);
  });

  test('reports that cannot be written fail', async () => {
    const argv = ['-f', 'head', '--base', 'base', '--report', 'sarif=no/such/folder/a.sarif'];
    const { code, stderr } = await diff(SIDES, argv);
    expect(stderr).toContain('its folder does not exist');
    expect(code).toBe(1);
  });
});

describe('places of what a diff finds', () => {
  const PAUSED = {
    'base/a.json': list(cronJob('p', { spec: { suspend: true } })),
    'head/a.json': list(cronJob('p')),
  };

  test('begin at the clone of a pipeline', async () => {
    const cwd = await temporaryFolder(
      Object.fromEntries(Object.entries(PAUSED).map(([name, text]) => [`apps/prod/${name}`, text])),
    );
    const argv = ['diff', '-f', 'head', '--base', 'base', '-o', 'github', ...NOW];
    const { stdout } = await runMinutehand(argv, { cwd: `${cwd}/apps/prod`, env: { GITHUB_WORKSPACE: cwd } });
    expect(stdout).toContain('::warning file=apps/prod/head/a.json,');
  });

  test('are none where the head was built', async ({ skip }) => {
    if (!CAN_BUILD) skip(NO_BUILDER);
    const kustomization = 'resources: [a.json]\n';
    const one = (text: string): string => JSON.stringify(JSON.parse(text).items[0]);
    const files = {
      'base/a.json': one(PAUSED['base/a.json']),
      'head/a.json': one(PAUSED['head/a.json']),
      'base/kustomization.yaml': kustomization,
      'head/kustomization.yaml': kustomization,
    };
    const { stdout } = await diff(files, ['-k', 'head', '--base', 'base', '-o', 'github']);
    expect(stdout).toMatch(/^::warning title=/);
  });

  test('are never replaced by a report', async () => {
    const { code, stderr } = await diff(SIDES, [
      '-f',
      'head',
      '--base',
      'base',
      '--report',
      'json=head/a.json',
    ]);
    expect(stderr).toContain('this file was read, and is not replaced');
    expect(code).toBe(1);
  });
});

describe('what a diff selects', () => {
  const files = {
    'base/a.json': list(policy('night'), cronJob('other')),
    'head/a.json': list(
      policy('night', { spec: { schedule: '0 13 * * *' } }),
      cronJob('other', { spec: { schedule: '0 14 * * *' } }),
    ),
  };

  test('-n leaves the others out', async () => {
    const { stdout } = await diff(files, ['-f', 'head', '--base', 'base', '-n', 'harbor']);
    expect(stdout).toContain('CronJob harbor/other');
    expect(stdout).not.toContain('vault-a/night');
  });
});
