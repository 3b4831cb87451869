import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { fromJSONSchema, type ZodType } from 'zod';
import type { JsonObject } from '#core/object/object.ts';
import { cronJob, list, policy } from '#test/cli/manifests.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { freshTick, NOW, tick, world } from './ticking.ts';

/** Read back from the published file, so that it is the file which is tested and not what made it. */
let published: ZodType;

beforeAll(async () => {
  published = fromJSONSchema(JSON.parse(await readFile('examples/log-line.schema.json', 'utf8')));
});

/** Every line as data, after it was held against the schema. */
function linesOf(text: string): readonly JsonObject[] {
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const value = JSON.parse(line);
      const read = published.safeParse(value);
      expect(read.success ? [] : read.error.issues, line).toEqual([]);
      expect(Object.keys(value).slice(0, 4), line).toEqual(['time', 'level', 'msg', 'type']);
      return value;
    });
}

function typesOf(lines: readonly JsonObject[]): readonly unknown[] {
  return lines.map((line) => line['type']);
}

const JSON_LOG = ['--log-format', 'json'];
const POD: CliWorld = { env: { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' } };

describe('the form of the log', () => {
  const rows: readonly (readonly [string, readonly string[], CliWorld, 'text' | 'json'])[] = [
    ['outside a pod', [], {}, 'text'],
    ['in a pod', [], POD, 'json'],
    ['in a pod, at a terminal', [], { ...POD, terminal: { stdout: true } }, 'text'],
    ['in a pod that was told otherwise', ['--log-format', 'text'], POD, 'text'],
    ['in a pod that is asked for text', ['-o', 'text'], POD, 'text'],
    ['in a pod, chosen by nobody', ['--log-format', 'auto'], POD, 'json'],
    ['outside a pod, where it is asked for', JSON_LOG, {}, 'json'],
    ['at a terminal, where it is asked for', JSON_LOG, { terminal: { stdout: true, stderr: true } }, 'json'],
  ];
  test.each(rows)('%s', async (_name, more, io, want) => {
    const { code, stdout, stderr } = await freshTick(more, io);
    expect(code).toBe(0);
    if (want === 'text') {
      expect(stdout).toContain('Plan for Wed 2026-06-10 03:00:10 UTC');
      expect(stderr).toContain('error InvalidSchedule');
      return;
    }
    expect(stderr).toBe('');
    expect(typesOf(linesOf(stdout)).at(-1)).toBe('tick');
  });

  test.each(['json', 'yaml'])('a document of -o %s has stdout to itself', async (format) => {
    const inPod = await freshTick(['-o', format], POD);
    const outside = await freshTick(['-o', format]);
    expect({ ...inPod, stdout: inPod.stdout.length }).toEqual({ ...outside, stdout: outside.stdout.length });
    const both = await freshTick(['-o', format, ...JSON_LOG]);
    expect(both.stdout.length).toBe(outside.stdout.length);
    expect(typesOf(linesOf(both.stderr)).at(-1)).toBe('tick');
  });

  test('is in the configuration too, and a flag wins over it', async () => {
    const cwd = await world({ 'c.yaml': 'telemetry: {logFormat: json}\n' });
    const configured = await tick(cwd, ['--config', 'c.yaml']);
    expect(typesOf(linesOf(configured.stdout)).at(-1)).toBe('tick');
    const { stdout } = await tick(cwd, ['--config', 'c.yaml', '--log-format', 'text']);
    expect(stdout).toMatch(/^Plan for /);
  });

  test('a dry run of the client is a plan, in a pod as well', async () => {
    const inPod = await freshTick(['--dry-run=client'], POD);
    expect(inPod).toEqual(await freshTick(['--dry-run=client']));
  });
});

describe('a log in JSON', () => {
  test('has a line for each change, one for each finding, and one that sums up', async () => {
    const { stdout } = await freshTick(JSON_LOG);
    const lines = linesOf(stdout);
    const changes = lines.filter(({ type }) => type === 'change');
    const fires = {
      apiVersion: 'etcd-operator.cozystack.io/v1alpha2',
      kind: 'EtcdDefragPolicy',
      namespace: 'vault-a',
      name: 'fires',
    };
    expect(changes.find(({ verb }) => verb === 'create')).toEqual({
      time: expect.any(String),
      level: 'info',
      msg: 'create EtcdDefrag vault-a/fires-1781060400: done',
      type: 'change',
      schedule: fires,
      verdict: 'fired',
      reason: 'StampedRun',
      slot: '2026-06-10T03:00:00Z',
      lateSeconds: 10,
      verb: 'create',
      because: 'SlotDue',
      object: { ...fires, kind: 'EtcdDefrag', name: 'fires-1781060400' },
      outcome: 'done',
    });
    const findings = lines.filter(({ type }) => type === 'diagnostic');
    expect(findings.map(({ level, code }) => `${level} ${code}`)).toContain('error InvalidSchedule');
    const last = lines.at(-1);
    expect(last).toMatchObject({
      level: 'info',
      type: 'tick',
      now: NOW,
      exitCode: 0,
      completed: true,
      schedules: { total: 4, verdicts: { fired: 1, expired: 1, waiting: 1, invalid: 1 } },
      changes: { total: changes.length, outcomes: { done: changes.length } },
      diagnostics: { error: findings.filter(({ level }) => level === 'error').length },
    });
    expect(last?.['requests']).toBeUndefined();
  });

  test('has in the line of a change only what belongs to that change', async () => {
    const state = `${await temporaryFolder({})}/state`;
    const given = ['-f', 'examples/etcd-defrag', '--state', state, '--now', '2026-11-29T03:00:20Z'];
    const { stdout } = await runMinutehand(['reconcile', ...given, ...JSON_LOG], { cwd: process.cwd() });
    const told = linesOf(stdout)
      .filter(({ type, schedule }) => type === 'change' && JSON.stringify(schedule).includes('"nightly"'))
      .map(({ verb, because, verdict, slot, lateSeconds, reason }) => {
        return { verb, because, verdict, slot, lateSeconds, reason };
      });
    const fired = {
      verdict: 'fired',
      slot: '2026-11-29T03:00:00Z',
      lateSeconds: 20,
      reason: 'StampedRun',
    };
    const none = { verdict: undefined, lateSeconds: undefined, reason: undefined };
    expect(told).toEqual([
      { verb: 'create', because: 'SlotDue', ...fired },
      { verb: 'apply', because: 'StatusChanged', ...fired },
      { verb: 'delete', because: 'HistoryLimit', slot: '2026-11-26T03:00:00Z', ...none },
      { verb: 'event', because: 'Transition', ...fired },
    ]);
  });

  test('of a tick with nothing to do is short', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p')) });
    await tick(cwd, JSON_LOG);
    const lines = linesOf((await tick(cwd, JSON_LOG)).stdout);
    expect(typesOf(lines)).toEqual(['tick']);
    expect(lines[0]?.['msg']).toMatch(/^tick done in \d+ ms; 1 schedule: 1 waiting; no changes$/);
  });

  const FAILURES: readonly (readonly [string, readonly string[], number, string])[] = [
    ['a wrong configuration', ['--config', 'wrong.yaml'], 64, 'cronJobs is no setting'],
    ['a configuration that is not there', ['--config', 'none.yaml'], 64, 'the configuration none.yaml'],
    ['a plan that is no plan', ['--plan', 'wrong.yaml'], 64, '--plan: wrong.yaml is not JSON'],
    ['flags that contradict each other', ['--plan-max-age', '1m'], 64, '--plan-max-age is the age'],
  ];
  test.each(FAILURES)('tells of %s in lines, too', async (_name, more, want, words) => {
    const cwd = await world({ 'wrong.yaml': 'cronJobs: off\n' });
    const { code, stdout, stderr } = await tick(cwd, [...JSON_LOG, ...more]);
    expect({ code, stderr }).toEqual({ code: want, stderr: '' });
    const lines = linesOf(stdout);
    expect(lines.at(-1)).toMatchObject({ level: 'error', type: 'tick', exitCode: want, completed: false });
    expect(lines.filter(({ level, msg }) => level === 'error' && String(msg).includes(words))).toHaveLength(
      1,
    );
  });

  test('tells why a state folder cannot be used', async () => {
    const cwd = await world({ 'state/foreign': 'of somebody else' });
    const { code, stdout, stderr } = await tick(cwd, JSON_LOG);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const lines = linesOf(stdout);
    expect(lines.filter(({ code }) => code === 'StateUnusable')).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ level: 'error', type: 'tick', exitCode: 1 });
  });

  test('tells behind its last line what did not go through', async () => {
    const { url } = await startReceiver({ status: 503, text: 'later' });
    const lines = linesOf((await freshTick([...JSON_LOG, '--ping', `${url}/5ecret`])).stdout);
    expect(typesOf(lines).slice(-2)).toEqual(['tick', 'message']);
    expect(lines.at(-1)?.['msg']).toBe(
      `the ping to ${new URL(url).host} did not go through: the answer was 503: later`,
    );
    expect(JSON.stringify(lines)).not.toContain('5ecret');
  });

  test('holds no character that moves a terminal', async () => {
    const spec = { schedule: '0 3 * * *\u202e\u001b[31m\u2028x' };
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', { spec })) });
    const { stdout } = await tick(cwd, JSON_LOG);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    linesOf(stdout);
  });
});

describe('no secret reaches the log', () => {
  const SECRETS = ['hunter3-in-env', 'hunter4-in-annotation', 'hunter5-in-schedule', 'hunter6-in-zone'];
  const [inEnv = '', inAnnotation = '', inSchedule = '', inZone = ''] = SECRETS;
  /** A value that is no text gets a finding, and whoever writes it quotes what they found. */
  const inNumber = 31_337_001;
  const templateWith = (...env: readonly JsonObject[]): JsonObject => ({
    spec: {
      template: {
        metadata: { annotations: { 'example.com/token': inAnnotation } },
        spec: {
          restartPolicy: 'Never',
          containers: [
            { name: 'main', image: 'busybox:1.37', args: ['--password', inEnv, `--token=${inEnv}`], env },
          ],
        },
      },
    },
  });
  const template = templateWith(
    { name: 'PGPASSWORD', value: inEnv },
    { name: 'URL', value: `db://u:${inEnv}@ledger/x` },
  );
  const last = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };

  test.each([[JSON_LOG], [['--log-format', 'text']]])('with %j', async (format) => {
    const cwd = await temporaryFolder({
      'in/a.json': list(
        cronJob('fires', {
          ...last,
          metadata: { annotations: { 'example.com/token': inAnnotation } },
          spec: { jobTemplate: template },
        }),
        cronJob('bad', { ...last, spec: { schedule: `token=${inSchedule}` } }),
        cronJob('zone', { ...last, spec: { timeZone: `password=${inZone}` } }),
        cronJob('env', {
          ...last,
          spec: { jobTemplate: templateWith({ name: 'PGPASSWORD', value: inNumber }) },
        }),
      ),
    });
    const { code, stdout, stderr } = await tick(cwd, format);
    expect(code).toBe(0);
    expect(stdout).toContain('fires-');
    for (const secret of [...SECRETS, String(inNumber)]) expect(stdout + stderr).not.toContain(secret);
  });
});
