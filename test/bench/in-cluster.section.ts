import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { missingReason, readAssets } from '#test/cluster/support/assets.ts';
import { mustKubectl } from '#test/cluster/support/install-policies.ts';
import { create, createNamespace } from '#test/cluster/world/api.ts';
import { defragPolicy } from '#test/cluster/world/objects.ts';
import { bareReader } from './bare-reader.ts';
import type { Race } from './race.ts';
import { BUNDLE, type Measurement, type Section } from './section.ts';
import { withServer } from './with-server.ts';

const RUNS = 25;
const ROOT = resolve(import.meta.dirname, '..', '..');
const CONFIG = join(ROOT, 'examples', 'cluster', 'base', 'config.yaml');
const ACCOUNT = { namespace: 'minutehand', name: 'minutehand-reconcile' };
const SCHEDULES = 10;
/** Once in four years. */
const SELDOM = '0 0 29 2 *';

/** Where a pod finds its account is not ours to write: it is made in a file system that only the race sees. */
const IN_A_POD = `mount -t tmpfs none /var/run && mkdir -p /var/run/secrets/kubernetes.io/serviceaccount &&
cp "$1"/* /var/run/secrets/kubernetes.io/serviceaccount/ && exec "$2" "$3" "$4"`;

/** The flags of `unshare` that this user may use, if any. */
function unshareFlags(): string | undefined {
  return ['-m', '-rm'].find(
    (flags) => spawnSync('unshare', [flags, 'mount', '-t', 'tmpfs', 'none', '/var/run']).status === 0,
  );
}

async function fill(server: ApiServer): Promise<void> {
  await mustKubectl(server, ['apply', '--server-side', '-k', join(ROOT, 'examples/cluster/empty-cluster')]);
  const crd = `crd/${POLICY.plural}.${POLICY.group}`;
  await mustKubectl(server, ['wait', '--for=condition=Established', '--timeout=60s', crd]);
  await createNamespace(server, 'vaults');
  for (let index = 0; index < SCHEDULES; index++)
    await create(server, POLICY, defragPolicy(`vaults/policy-${index}`, { spec: { schedule: SELDOM } }));
}

async function writeRace(server: ApiServer, account: string): Promise<string> {
  const token = await server.tokenFor(ACCOUNT.namespace, ACCOUNT.name);
  await mkdir(account);
  await writeFile(join(account, 'token'), token);
  await writeFile(join(account, 'ca.crt'), server.ca);
  const kubeconfig = await server.kubeconfigFor(token);
  const { hostname, port } = new URL(server.url);
  // Three requests are those of the Lease.
  const bare = join(server.folder, 'without-lease.yaml');
  await writeFile(bare, (await readFile(CONFIG, 'utf8')).replace(/^lease:.*$/m, ''));
  const path = resourcePath(POLICY, { namespace: '' });
  const bareNode = bareReader(server, token, path);
  const race: Race = {
    runs: RUNS,
    environment: {
      ...bareNode.environment,
      PATH: process.env['PATH'],
      HOME: server.folder,
      NODE_COMPILE_CACHE: join(server.folder, 'cache'),
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
    },
    racers: [
      { program: process.execPath, args: ['-e', '0'] },
      {
        program: readAssets().path('kubectl'),
        args: ['--kubeconfig', kubeconfig, 'get', '--raw', path],
      },
      { program: bareNode.program, args: bareNode.args },
      { program: process.execPath, args: [BUNDLE, 'reconcile', '--config', bare] },
      { program: process.execPath, args: [BUNDLE, 'reconcile', '--config', CONFIG] },
    ],
  };
  const file = join(server.folder, 'race.json');
  await writeFile(file, JSON.stringify(race));
  return file;
}

async function measure(server: ApiServer, flags: string): Promise<readonly Measurement[]> {
  await fill(server);
  const account = join(server.folder, 'account');
  const file = await writeRace(server, account);
  const child = join(import.meta.dirname, 'race-child.ts');
  const script = ['sh', '-c', IN_A_POD, 'sh', account, process.execPath, child, file];
  const { status, stdout, stderr } = spawnSync('unshare', [flags, ...script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the race ended with ${status}: ${stderr}`);
  const [empty = [], kubectl = [], reader = [], tick = [], leased = []]: number[][] = JSON.parse(stdout);
  const scenario = `idle tick of ${SCHEDULES} schedules, start to exit, as a pod`;
  return [
    { scenario, subject: 'node -e 0', runs: empty, items: 1 },
    { scenario, subject: 'kubectl get --raw of the schedules', runs: kubectl, items: 1 },
    { scenario, subject: 'a process of Node that reads this list, and nothing else', runs: reader, items: 1 },
    { scenario, subject: 'reconcile', runs: tick, items: 1 },
    { scenario, subject: 'reconcile under a Lease', runs: leased, items: 1 },
  ];
}

/** A tick with the credentials of a pod on a real API server, beside kubectl that reads one of its lists. */
export const inClusterSection: Section = {
  name: 'in-cluster',
  run: async (say) => {
    const missing = missingReason(readAssets());
    const flags = unshareFlags();
    if (missing !== undefined || flags === undefined) {
      say(`skipped: ${missing ?? 'this user may mount nothing, not even for a process of its own'}`);
      return [];
    }
    return withServer((server) => measure(server, flags));
  },
};
