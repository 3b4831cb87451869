import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseCapture } from '#cli/parse-capture.ts';
import { memoryStore } from '#test/fakes/memory-store.ts';
import { type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { edited, FILES, made, NOW, planOf, SOURCE } from './captured.ts';
import { cronJob, list } from './manifests.ts';

describe('a capture takes the place of its source', () => {
  test.each([
    ['plan'],
    ['plan', '-o', 'json'],
    ['plan', '-o', 'yaml', '--fail-on', 'invalid'],
    ['next'],
    ['next', 'cj/early', '--for', '48h', '-o', 'json'],
    ['explain', 'etcddefragpolicy/night'],
    ['explain', 'cj/early', '-o', 'json'],
    ['explain', 'cj/missing'],
  ])('%s %s %s %s', async (...argv) => {
    const { run } = await made();
    const source = await run(...argv, ...SOURCE);
    expect(source.stdout + source.stderr).not.toBe('');
    const { code, stdout } = await run(...argv, '--from', 'capture.yaml');
    expect({ code, stdout }).toEqual({ code: source.code, stdout: source.stdout });
  });

  test('in JSON as well, and through standard input', async () => {
    const { cwd, run } = await made();
    const { stdout } = await run('capture', ...SOURCE, '-o', 'json');
    expect(stdout.startsWith('{\n')).toBe(true);
    const replay = await runMinutehand(['plan', '--from', '-'], { cwd, stdin: stdout });
    expect(replay.stdout).toBe((await run('plan', ...SOURCE)).stdout);
  });

  test('at another time it tells what is due then', async () => {
    const { run } = await made();
    const later = ['--now', '2026-06-10T04:00:10Z', '-o', 'json'];
    const { stdout } = await run('plan', '--from', 'capture.yaml', ...later);
    expect(stdout).toBe((await run('plan', '-f', 'in', ...later)).stdout);
    expect(stdout).toContain('"slot": "2026-06-10T04:00:00Z"');
  });

  test.each([
    [['-n', 'quay'], 1],
    [['-l', 'tier in (gold,silver)'], 1],
    [['--grace', '0s', '--dst', 'safe', '--max-creates', '0'], 4],
  ])('with %j it was made, and goes by that', async (flags, schedules) => {
    const { run } = await made(...flags);
    const source = await run('plan', ...SOURCE, ...flags, '-o', 'json');
    const replay = await run('plan', '--from', 'capture.yaml', '-o', 'json');
    expect(replay.stdout).toBe(source.stdout);
    expect(replay.code).toBe(source.code);
    expect(JSON.parse(replay.stdout).schedules).toHaveLength(schedules);
  });

  test('it holds the configuration, over which flags win', async () => {
    const cwd = await temporaryFolder({
      ...FILES,
      'config.yaml':
        'cronJob: "off"\nnamespaces: [vault-a]\ndefaults: { grace: 10s }\nretries: { budget: 1s }\ntelemetry: { ping: "https://p.example/5ecret" }\n',
    });
    const flags = [...SOURCE, '--config', 'config.yaml'];
    const { stdout } = await runMinutehand(['capture', ...flags, '-A'], { cwd });
    expect(parse(stdout).config).toEqual({ cronJob: 'off', defaults: { grace: '10s' } });
    const world = { cwd, readText: async () => stdout };
    const replay = await runMinutehand(['plan', '--from', 'x', '-n', 'quay', '-o', 'json'], world);
    const source = await runMinutehand(['plan', ...flags, '-n', 'quay', '-o', 'json'], { cwd });
    expect(replay.stdout).toBe(source.stdout);
    expect(JSON.parse(replay.stdout).schedules).toHaveLength(1);
  });

  test('of a state folder too, with what a tick recorded there', async () => {
    const { cwd, run } = await made();
    const later = [...SOURCE.slice(0, 2), '--now', '2026-06-11T03:00:20Z', '--state', 'state'];
    expect((await run('reconcile', ...SOURCE, '--state', 'state')).code).toBe(0);
    const captured = await run('capture', ...later);
    expect({ code: captured.code, origin: parse(captured.stdout).origin }).toEqual({
      code: 0,
      origin: 'state',
    });
    const source = await run('plan', ...later, '-o', 'json');
    const replay = await runMinutehand(['plan', '--from', '-', '-o', 'json'], {
      cwd,
      stdin: captured.stdout,
    });
    expect(replay.stdout).toBe(source.stdout);
    expect(captured.stdout).toContain('kind: EtcdDefrag\n');
  });

  test('what was not asked when it was made is unreadable, not empty', async () => {
    const { text } = await made();
    const { code, stdout, stderr } = await planOf(
      edited(text, /\n {2}- group: batch\n {4}kind: Job\n[\s\S]*?(?=\n {2}- group)/, ''),
    );
    expect(code).toBe(3);
    expect(stdout).toMatch(/unreadable +CronJob harbor\/early/);
    expect(stderr).toContain('jobs could not be read: jobs are not in the capture');
  });

  test('places are those of the manifests, without a picture of lines that are not here', async () => {
    const { run } = await made();
    const source = await run('plan', ...SOURCE);
    const replay = await run('plan', '--from', 'capture.yaml');
    expect(source.stderr).toMatch(/in\/a\.json:1:\d+/);
    expect(source.stderr).toContain('^');
    const places = (stderr: string): readonly string[] => stderr.match(/in\/a\.json:\d+:\d+/g) ?? [];
    expect(places(replay.stderr)).toEqual(places(source.stderr));
    expect(replay.stderr).not.toContain('^');
  });
});

describe('a state folder is told', () => {
  test.each([
    ['capture', '--state', 'nope'],
    ['plan', '--state', 'nope'],
  ])('by %s, where the one that is named is not there', async (...argv) => {
    const { run } = await made();
    const { stderr } = await run(...argv, ...SOURCE);
    expect(stderr).toContain('note: there is no state folder nope: decided as for the first tick of all\n');
  });

  test('where one lies unread', async () => {
    const cwd = await temporaryFolder({ ...FILES, '.minutehand/x': '' });
    const { stderr } = await runMinutehand(['capture', ...SOURCE], { cwd });
    expect(stderr).toContain(
      'note: the state folder ./.minutehand is here and was not read: add --state .minutehand',
    );
  });
});

describe('a capture of a cluster', () => {
  const fault = { reason: 'forbidden', fix: 'ask for the right', denied: true };

  function world(): CliWorld {
    const store = {
      ...memoryStore({ objects: [] }),
      diagnostics: () => [
        { code: 'ServerWarning', severity: 'warning', what: 'the server warns: token=hunter2x' } as const,
      ],
    };
    const listed: typeof store = {
      ...store,
      list: async (type) => {
        if (type.kind === 'Plan') return { state: 'unreadable', reason: 'forbidden', fault };
        if (type.kind === 'CronJob') return { state: 'absent' };
        const incomplete = new Map([['harbor', 'a page was lost']]);
        const scope = { namespaces: new Set(['harbor']), reason: 'only these were looked at' };
        return { ...(await store.list(type)), incomplete, scope };
      },
    };
    return { openCluster: async () => ({ ok: true, store: listed }) };
  }

  test('keeps which lists are absent, unreadable and incomplete, and what the store told', async () => {
    const captured = await runMinutehand(['capture', '--now', NOW], world());
    expect(captured.code).toBe(1);
    expect(captured.stdout).not.toContain('hunter2x');
    const source = await runMinutehand(['plan', '-o', 'json', '--now', NOW], world());
    const replay = await planOf(captured.stdout);
    expect(replay.stderr).toContain('plans could not be read: forbidden');
    const json = await runMinutehand(['plan', '-o', 'json', '--from', 'x'], {
      readText: async () => captured.stdout,
    });
    expect(json.stdout).toBe(source.stdout);
    const read = parseCapture('x', captured.stdout);
    if (!read.ok) throw new Error('it is read');
    const states = new Map(read.capture.lists.map(({ kind, listing }) => [kind, listing]));
    expect(states.get('Plan')).toEqual({ state: 'unreadable', reason: 'forbidden', fault });
    expect(states.get('CronJob')).toEqual({ state: 'absent' });
    expect(states.get('Job')).toEqual({
      state: 'read',
      objects: [],
      incomplete: new Map([['harbor', 'a page was lost']]),
      scope: { namespaces: new Set(['harbor']), reason: 'only these were looked at' },
    });
  });
});

describe('--from', () => {
  test.each([
    [['-f', 'in'], '--from reads a capture and -f manifests: give one of them'],
    [['--context', 'x'], '--from reads a capture and --context a cluster: give one of them'],
    [['--state', 'x'], 'a capture has the state in it'],
  ])('does not go with %j', async (flags, message) => {
    for (const verb of [['plan'], ['next'], ['explain', 'cj/early']]) {
      const { code, stdout, stderr } = await runMinutehand([...verb, '--from', 'x.yaml', ...flags]);
      expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
      expect(stderr).toContain(message);
    }
  });

  test.each(['reconcile', 'validate', 'adopt'])('is no flag of %s', async (verb) => {
    const { code, stderr } = await runMinutehand([verb, '--from', 'x.yaml']);
    expect(code).toBe(64);
    expect(stderr).toContain('--from');
  });
});

describe('what looks secret', () => {
  const env = [
    { name: 'PGPASSWORD', value: 'hunter2' },
    { name: 'MODE', value: 'verbose' },
    { name: 'REGISTRY_TOKEN', value: '{"auth":"zebra"}' },
  ];
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"x":"y"}' };

  function secretive(name: string, password: string): ReturnType<typeof cronJob> {
    const container = {
      name: 'main',
      image: 'a:1',
      env: env.map((one, index) => (index === 0 ? { ...one, value: password } : one)),
    };
    const template = { spec: { restartPolicy: 'Never', containers: [container] } };
    return cronJob(name, { metadata: { annotations }, spec: { jobTemplate: { spec: { template } } } });
  }

  test('is masked and counted, equal values alike; the rest is kept and said to be', async () => {
    const cwd = await temporaryFolder({
      'in/a.json': list(secretive('a', 'hunter2'), secretive('b', 'hunter2'), secretive('c', 'other')),
    });
    const { code, stdout, stderr } = await runMinutehand(['capture', ...SOURCE], { cwd });
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/hunter2|other|zebra/);
    expect(stdout.match(/^ +value: .*/gm)?.map((line) => line.trim())).toEqual([
      'value: eyJmasked-1.x.x',
      'value: verbose',
      'value: eyJmasked-2.x.x',
      'value: eyJmasked-1.x.x',
      'value: verbose',
      'value: eyJmasked-2.x.x',
      'value: eyJmasked-3.x.x',
      'value: verbose',
      'value: eyJmasked-2.x.x',
    ]);
    expect(stdout).toContain('last-applied-configuration: "(left out)"');
    expect(stderr).toMatch(/^note: 3 values masked; .* read it before you send it\n$/);
  });

  test('is told where the plan is not the same without it', async () => {
    const spec = { concurrencyPolicy: 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7' };
    const cwd = await temporaryFolder({ 'in/a.json': list(cronJob('a', { spec })) });
    const { code, stdout, stderr } = await runMinutehand(['capture', ...SOURCE], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('warning: the plan of this file is not that of its source');
    const world = { readText: async () => stdout };
    const replay = await runMinutehand(['plan', '--from', 'x', '-o', 'json'], world);
    const source = await runMinutehand(['plan', ...SOURCE, '-o', 'json'], { cwd });
    expect(replay.stdout).not.toBe(source.stdout);
  });
});
