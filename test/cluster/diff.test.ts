import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatInstant, instant } from '#core/time/instant.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { mustKubectl } from './examples/must-kubectl.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { createNamespace, MERGE, must, pathOf } from './world/api.ts';
import { runHere, tickAt } from './world/command-line.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { isWrite, sentTo } from './world/sent.ts';
import { DAILY, NOW, SLOT } from './world/times.ts';

const HOUR = 3600;
/** The hour before the slot that everything here has run: past, and not run. */
const EARLIER = `30 ${new Date((SLOT - HOUR) * 1000).getUTCHours()} * * *`;
/** Half an hour behind it: past as well when the comparison is made. */
const LATER = `30 ${new Date(SLOT * 1000).getUTCHours()} * * *`;
const COMPARED = instant(SLOT + 2 * HOUR);

function cronJob(name: string, schedule: string, more = ''): string {
  return `apiVersion: batch/v1
kind: CronJob
metadata:
  name: ${name}
  namespace: diff
  creationTimestamp: null
spec:
  schedule: "${schedule}"
${more}  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: main
              image: busybox:1.37
              resources: { limits: { cpu: 1000m } }
`;
}

function policy(name: string, schedule: string): string {
  return `apiVersion: etcd-operator.cozystack.io/v1alpha2
kind: EtcdDefragPolicy
metadata: { name: ${name}, namespace: diff }
spec:
  clusterRef: { name: kv }
  schedule: "${schedule}"
`;
}

const SERVER_SIDE = [cronJob('applied', DAILY), policy('defrag', DAILY)].join('---\n');
const CLIENT_SIDE = cronJob('classic', DAILY);

let folder = '';

async function kubectl(...args: readonly string[]): Promise<void> {
  await mustKubectl(await sharedServer(), args);
}

async function diff(files: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<CliResult> {
  const { kubeconfig } = await sharedServer();
  const cwd = await mkdtemp(join(folder, 'diff-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  const now = formatInstant(COMPARED);
  return runMinutehand(['diff', '--now', now, '--kubeconfig', kubeconfig, ...argv], { cwd });
}

describeOnServer('diff on a cluster', () => {
  beforeAll(async () => {
    const server = await sharedServer();
    folder = await mkdtemp(join(tmpdir(), 'minutehand-test-'));
    await install(server, await readDefinitions(OUR_DEFINITIONS));
    await createNamespace(server, 'diff');
    await writeFile(join(folder, 'server.yaml'), SERVER_SIDE);
    await writeFile(join(folder, 'client.yaml'), CLIENT_SIDE);
    await kubectl('apply', '--server-side', '-f', join(folder, 'server.yaml'));
    await kubectl('apply', '-f', join(folder, 'client.yaml'));
    await writeFile(join(folder, 'config.yaml'), 'cronJob: manage\n');
    const ticked = await runHere(tickAt(server.kubeconfig, NOW, '--config', join(folder, 'config.yaml')));
    expect(ticked.code, ticked.stdout + ticked.stderr).toBe(0);
    expect(ticked.stdout).toContain('3 fired');
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  describe('with the cluster as base', () => {
    test('an unchanged repository is no change: defaults, status and managed fields are none', async () => {
      const argv = ['-f', 'a.yaml', '-f', 'b.yaml', '--detailed-exitcode'];
      const { code, stdout, stderr } = await diff({ 'a.yaml': SERVER_SIDE, 'b.yaml': CLIENT_SIDE }, ...argv);
      expect(stdout).toMatch(
        /^No change to the firings of 3 schedules: the cluster → a\.yaml, b\.yaml, as of .*\n$/,
      );
      expect(stderr).toBe('');
      expect(code).toBe(0);
    });

    test('amounts are compared by meaning', async () => {
      const text = SERVER_SIDE.replace('1000m', '"1"');
      expect((await diff({ 'a.yaml': text }, '-f', 'a.yaml')).stdout).toMatch(/^No change/);
    });

    test('a slot that passed since the last run fires at the moment of merging, and one before it does not', async () => {
      const text = [cronJob('applied', LATER), policy('defrag', EARLIER)].join('---\n');
      const { code, stdout } = await diff({ 'a.yaml': text }, '-f', 'a.yaml', '--fail-on', 'fires-now');
      expect(stdout).toMatch(/changed {2}CronJob diff\/applied.*\n {4}fires now slot .* 1 h 30 min late/);
      expect(stdout).toContain('guard  fires-now: CronJob diff/applied\n');
      expect(stdout).not.toMatch(/EtcdDefragPolicy diff\/defrag.*\n {4}fires now/);
      expect(code).toBe(3);
    });

    test('what was suspended by hand stays so, since nobody declares it', async () => {
      const server = await sharedServer();
      const where = pathOf({ type: CRON_JOB, namespace: 'diff', name: 'applied' });
      await must(server, 'PATCH', where, { spec: { suspend: true } }, MERGE);
      try {
        const { stdout } = await diff({ 'a.yaml': SERVER_SIDE }, '-f', 'a.yaml');
        expect(stdout).toMatch(/^No change/);
        const resumed = SERVER_SIDE.replace('  jobTemplate', '  suspend: false\n  jobTemplate');
        expect((await diff({ 'a.yaml': resumed }, '-f', 'a.yaml')).stdout).toContain(
          'spec.suspend: true → false',
        );
      } finally {
        await must(server, 'PATCH', where, { spec: { suspend: false } }, MERGE);
      }
    });

    test('a field that was applied and is no longer declared is removed', async () => {
      const server = await sharedServer();
      await writeFile(
        join(folder, 'server.yaml'),
        SERVER_SIDE.replace('  jobTemplate', '  timeZone: UTC\n  jobTemplate'),
      );
      await kubectl('apply', '--server-side', '-f', join(folder, 'server.yaml'));
      const { stdout } = await diff({ 'a.yaml': SERVER_SIDE }, '-f', 'a.yaml');
      expect(stdout).toContain('spec.timeZone: UTC → (none)');
      await writeFile(join(folder, 'server.yaml'), SERVER_SIDE);
      await kubectl('apply', '--server-side', '-f', join(folder, 'server.yaml'));
      expect(server.kubeconfig).not.toBe('');
    });

    test('only with --prune is missing taken for removed, with the runs that go along', async () => {
      const kept = await diff({ 'a.yaml': CLIENT_SIDE }, '-f', 'a.yaml');
      expect(kept.stdout).toMatch(/^No change to the firings of 3 schedules/);
      const { stdout } = await diff({ 'a.yaml': CLIENT_SIDE }, '-f', 'a.yaml', '--prune', '-n', 'diff');
      expect(stdout).toContain('removed  CronJob diff/applied');
      expect(stdout).toMatch(/cancels {3}1 unfinished run: Job applied-\d+/);
      expect(stdout).toContain('removed  EtcdDefragPolicy diff/defrag');
    });
  });

  describe('what the server refuses', () => {
    const managedJob = (name: string, limit: number): string => `apiVersion: batch/v1
kind: Job
metadata: { name: ${name}, namespace: diff }
spec:
  managedBy: minutehand.dev/job
  backoffLimit: ${limit}
  template: { spec: { restartPolicy: Never, containers: [{ name: main, image: "busybox:1.37" }] } }
`;

    test.each([
      ['a managed Job that is added', managedJob('order', -1), 'Job diff/order'],
      ['a schedule under a name that none has', cronJob('ba_d', DAILY), 'CronJob diff/ba_d'],
      [
        'another object',
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: UPPER, namespace: diff }\n',
        'ConfigMap diff/UPPER',
      ],
    ])('%s is invalid', async (_name, text, whose) => {
      const server = await sharedServer();
      await writeFile(join(folder, 'refused.yaml'), text);
      const dry = ['apply', '--dry-run=server', '-f', join(folder, 'refused.yaml')];
      expect((await server.kubectl(dry)).code).not.toBe(0);
      const { code, stdout } = await diff({ 'a.yaml': text }, '-f', 'a.yaml', '--fail-on', 'invalid');
      expect(stdout).toContain('1 object would be invalid');
      expect(stdout).toContain(`guard  invalid: ${whose}\n`);
      expect(code).toBe(3);
    });

    test('a managed Job that is there and altered so is invalid, and as it stands it is not', async () => {
      await writeFile(join(folder, 'job.yaml'), managedJob('kept', 3));
      await kubectl('apply', '--server-side', '-f', join(folder, 'job.yaml'));
      const asked = (limit: number): Promise<CliResult> =>
        diff({ 'a.yaml': managedJob('kept', limit) }, '-f', 'a.yaml', '--fail-on', 'invalid');
      expect((await asked(3)).stdout).toMatch(/^No change/);
      expect((await asked(4)).code).toBe(0);
      const { code, stdout } = await asked(-1);
      expect(stdout).toContain('guard  invalid: Job diff/kept\n');
      expect(code).toBe(3);
    });
  });

  test('a Job that stands there keeps what it runs, whoever carries it out', async () => {
    const jobOf = (image: string, more = ''): string => `apiVersion: batch/v1
kind: Job
metadata: { name: import, namespace: diff }
spec:
${more}  template: { spec: { restartPolicy: Never, containers: [{ name: main, image: "${image}" }] } }
`;
    await writeFile(join(folder, 'job.yaml'), jobOf('busybox:1.37'));
    await kubectl('apply', '-f', join(folder, 'job.yaml'));
    const asked = (text: string): Promise<CliResult> =>
      diff({ 'a.yaml': text }, '-f', 'a.yaml', '--fail-on', 'invalid');
    expect((await asked(jobOf('busybox:1.37'))).stdout).toMatch(/^No change/);
    expect((await asked(jobOf('busybox:1.37', '  backoffLimit: 3\n'))).code).toBe(0);
    const altered = jobOf('busybox:1.38');
    await writeFile(join(folder, 'job.yaml'), altered);
    const server = await sharedServer();
    const refused = await server.kubectl(['apply', '--dry-run=server', '-f', join(folder, 'job.yaml')]);
    expect(refused.stderr).toMatch(/spec\.template: Invalid value: .*: field is immutable/);
    const { code, stdout } = await asked(altered);
    expect(stdout).toContain('broken    InvalidField: spec.template: Invalid value: field is immutable');
    expect(stdout).toContain('guard  invalid: Job diff/import\n');
    expect(code).toBe(3);
  });

  test('statuses of the cluster tell what ran, for two sides that are files', async () => {
    const files = { 'base.yaml': CLIENT_SIDE, 'head.yaml': cronJob('classic', EARLIER) };
    const { code, stdout } = await diff(
      files,
      '-f',
      'head.yaml',
      '--base',
      'base.yaml',
      '--statuses',
      'cluster',
    );
    expect(stdout).not.toContain('No statuses were given');
    expect(stdout).toContain('changed  CronJob diff/classic');
    expect(stdout).not.toContain('fires now');
    expect(code).toBe(0);
  });

  test('nothing is ever written', async () => {
    const server = await sharedServer();
    const sent = sentTo(server);
    await sent.next();
    await diff({ 'a.yaml': SERVER_SIDE }, '-f', 'a.yaml', '--prune');
    const requests = await sent.next();
    expect(requests.length).toBeGreaterThan(3);
    expect(requests.filter(isWrite)).toEqual([]);
  });

  test('a cluster that cannot be reached fails', async () => {
    const { code, stdout, stderr } = await diff(
      { 'a.yaml': CLIENT_SIDE },
      '-f',
      'a.yaml',
      '--context',
      'nowhere',
    );
    expect(stderr).toContain('nowhere');
    expect(stdout).toBe('');
    expect(code).toBe(64);
  });
});
