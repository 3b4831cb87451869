import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVENT, type ResourceType } from '#core/object/resource.ts';
import { CLUSTER_REPOSITORY } from '#kinds/snapshot-schedule/resources.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import type { FakeApiServerOptions } from '#test/fakes/api-server/options.ts';
import { ALL_TYPES, FIRST_TYPES, isReferred } from '#test/support/cluster-lists.ts';
import { policy } from '#test/support/given-tick.ts';
import { plainKubeconfig } from '#test/support/plain-kubeconfig.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { type CliResult, type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const NOW = '2026-06-10T03:00:10Z';
/** What is asked for in every tick. */
const FIRST = new Set(FIRST_TYPES.map(({ plural }) => plural));

function plurals(isWanted: (type: ResourceType) => boolean): string {
  return ALL_TYPES.filter(isWanted)
    .map(({ plural }) => plural)
    .sort()
    .join(', ');
}

const NAMESPACED = plurals(({ namespaced }) => namespaced);
/** Where nothing is seen, nothing is seen to point anywhere. */
const UNREFERRED = plurals((type) => !isReferred(type));
/** Where no schedule can be seen, nobody needs its runs. */
const FIRST_NAMESPACED = NAMESPACED.split(', ')
  .filter((plural) => FIRST.has(plural))
  .join(', ');
const CLUSTER_WIDE = plurals(({ namespaced }) => !namespaced);
const VERBS = [['plan'], ['next'], ['explain', 'etcddefragpolicy/p'], ['reconcile']];

const SNAPSHOT_SCHEDULE = {
  apiVersion: 'kopiur.home-operations.com/v1alpha1',
  kind: 'SnapshotSchedule',
  metadata: { name: 's', namespace: 'harbor', uid: 'uid-s', creationTimestamp: '2026-06-10T00:00:00Z' },
  spec: { policyRef: { name: 'p' }, schedule: { cron: '0 4 * * *' } },
};

/** The command line on the cluster at an address, without blanks and breaks of layout on stderr. */
async function run(
  server: string,
  argv: readonly string[],
  config = 'retries: {budget: 0s, timeout: 1s}\n',
  world: CliWorld = {},
): Promise<CliResult> {
  const cwd = await temporaryFolder({ kubeconfig: plainKubeconfig(server), 'c.yaml': config });
  const flags = ['--kubeconfig', `${cwd}/kubeconfig`, '--config', 'c.yaml', '--now', NOW];
  const result = await runMinutehand([...argv, ...flags], { cwd, ...world });
  return { ...result, stderr: result.stderr.replace(/\n {2,}(?!(?:why|fix):)/g, ' ') };
}

describe('an API server that gives no answer is told once, by its address', () => {
  const fix =
    'check that the server is up, its address (--context chooses another of the kubeconfig), and the network';

  test.each<[string, readonly string[], CliWorld, number]>([
    ['once at a terminal, before the wait', ['plan'], { terminal: { stderr: true } }, 1],
    ['once by a tick at a terminal', ['reconcile'], { terminal: { stderr: true } }, 1],
    ['not in a log of JSON', ['reconcile', '--log-format', 'json'], { terminal: { stderr: true } }, 0],
    ['not where nobody waits', ['plan'], {}, 0],
  ])('and that it is asked again: %s', async (_name, argv, world, times) => {
    const patient = 'retries: {budget: 2s, timeout: 1s}\n';
    const { code, stdout, stderr } = await run('http://127.0.0.1:1', argv, patient, world);
    expect(code).toBe(1);
    const notes = `${stdout}${stderr}`.match(
      /^note: http:\/\/127\.0\.0\.1:1 does not answer \(connect ECONNREFUSED 127\.0\.0\.1:1\): trying again$/gm,
    );
    expect(notes ?? []).toHaveLength(times);
    expect(`${stdout}${stderr}`.match(/trying again/g) ?? []).toHaveLength(times);
  });

  test.each(VERBS)('by %s, where nothing listens', async (...argv) => {
    const { code, stdout, stderr } = await run('http://127.0.0.1:1', argv);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'error ListUnreadable: the API server http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n' +
        `  fix:    ${fix}\n1 error.\n`,
    );
  });

  test('where it never answers', async () => {
    const { url } = await startReceiver('hang');
    const { code, stderr } = await run(url, ['plan']);
    expect(code).toBe(1);
    expect(stderr).toContain(`the API server ${url} cannot be reached: no answer within 1 s\n  fix:`);
  });
});

test.each(VERBS)('an address that is no URL is told by %s', async (...argv) => {
  const { code, stdout, stderr } = await run('foo', argv);
  expect({ code, stdout, stderr }).toEqual({
    code: 64,
    stdout: '',
    stderr: `error: the kubeconfig's cluster "test" has server "foo", which is no URL; write https://foo\n`,
  });
});

describe('lists that a cluster forbids', () => {
  const why =
    '  why:    an incomplete list is never taken for a short one, so nothing is decided that depends on it\n';
  const role = 'bind the ClusterRole minutehand-reconcile (for verbs that only look, minutehand-read)';
  let server: FakeApiServer;

  function forbid(isForbidden: FakeApiServerOptions['isForbidden']): void {
    server.configure(isForbidden === undefined ? {} : { isForbidden });
  }

  beforeAll(async () => {
    server = await fakeApiServer({ kinds: [...ALL_TYPES, EVENT], namespaces: ['harbor', 'quay'] });
  });
  beforeEach(() => server.reset([policy('p', {})]));
  afterAll(() => server.close());

  test.each(VERBS)('are told by %s in one error for one way out', async (...argv) => {
    forbid(({ verb, resource }) => verb === 'list' && resource !== EVENT.plural);
    const { code, stderr } = await run(server.url, argv);
    const [, user = ''] = /: (User ".*?") may not/.exec(stderr) ?? [];
    expect(user).toMatch(/^User ".+"$/);
    const denied = `could not be read: ${user} may not list them in the whole cluster`;
    const isTick = argv[0] === 'plan' || argv[0] === 'reconcile';
    const wholeCluster =
      `error ListUnreadable: ${isTick ? UNREFERRED : NAMESPACED} ${denied}\n${why}` +
      `  fix:    ${role} to that account by a ClusterRoleBinding, or name the namespaces that it may read, with -n or \`namespaces: [a, b]\` in the configuration\n`;
    if (isTick) {
      expect({ code, stderr }).toEqual({ code: 1, stderr: `${wholeCluster}1 error.\n` });
      return;
    }
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        `${argv[0] === 'explain' ? 'error: no EtcdDefragPolicy named p was found in what was read\n' : ''}` +
        `error ListUnreadable: ${CLUSTER_WIDE} ${denied}\n${why}` +
        `  fix:    ${role} to that account by a ClusterRoleBinding; where no SnapshotSchedules and BackupJobs, RestoreJobs, Backups are wanted, write \`snapshotSchedule: off\` and \`jobDriver: off\` in the configuration\n` +
        `${wholeCluster}2 errors.\n`,
    });
  });

  test('of what only one kind needs leave the others, and the setting is named', async () => {
    server.reset([policy('p', {}), SNAPSHOT_SCHEDULE]);
    forbid(({ verb, resource }) => verb === 'list' && resource === CLUSTER_REPOSITORY.plural);
    const { code, stdout, stderr } = await run(server.url, ['plan']);
    expect(code).toBe(3);
    expect(stdout).toContain('EtcdDefragPolicy harbor/p');
    expect(stderr).toContain('write `snapshotSchedule: off` in the configuration\n');
    expect(stderr).toContain('\n1 error, 1 warning.\n');
    const off = await run(server.url, ['plan'], 'snapshotSchedule: off\n');
    expect([off.code, off.stderr]).toEqual([0, '']);
  });

  test('of each namespace that is read are told likewise', async () => {
    forbid(({ verb, namespace }) => verb === 'list' && namespace !== '');
    const { code, stderr } = await run(server.url, ['plan'], 'namespaces: [harbor, quay]\n');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^error ListUnreadable: ${UNREFERRED} could not be read: User ".+" may not list them in the namespaces harbor, quay\n`,
      ),
    );
    expect(stderr).toContain(
      `  fix:    ${role} to that account by a RoleBinding in each of these namespaces\n`,
    );
    expect(stderr).toContain('\n1 error.\n');
  });

  test('of some namespaces are told once for all types and namespaces', async () => {
    const isOther = (namespace: string): boolean => !['', 'harbor'].includes(namespace);
    forbid(({ verb, namespace }) => verb === 'list' && isOther(namespace));
    const { code, stderr } = await run(server.url, ['plan'], 'namespaces: [harbor, vault, quay]\n');
    expect(code).toBe(3);
    expect(stderr).toMatch(
      new RegExp(
        `^error ListUnreadable: ${FIRST_NAMESPACED} of the namespaces quay, vault could not be read: User ".+" may not list them there\n`,
      ),
    );
    expect(stderr).toContain('\n1 error.\n');
  });

  test('of one namespace by -n are told with the binding that is missing there', async () => {
    forbid(({ verb }) => verb === 'list');
    const { code, stderr } = await run(server.url, ['plan', '-n', 'quay']);
    expect(code).toBe(1);
    expect(stderr).toContain('may not list them in namespace quay\n');
    expect(stderr).toContain(`  fix:    ${role} to that account by a RoleBinding in namespace quay\n`);
  });
});

describe('a namespace in which no schedule was found is named', () => {
  let server: FakeApiServer;
  beforeAll(async () => {
    const objects = [policy('p', {})];
    server = await fakeApiServer({ kinds: [...ALL_TYPES, EVENT], objects, namespaces: ['harbor'] });
  });
  afterAll(() => server.close());

  test.each(['plan', 'reconcile', 'next'])('by %s', async (verb) => {
    const { code, stdout, stderr } = await run(server.url, [verb, '-n', 'nowhere']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'note: no schedules were found in namespace nowhere; 1 schedule was left out\n',
    });
    expect(stdout).toContain('No schedules were found.');
  });
});
