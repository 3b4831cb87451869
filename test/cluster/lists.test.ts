import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiVersionOf } from '#core/object/resource.ts';
import type { Listing } from '#core/observed.ts';
import type { Instant } from '#core/time/instant.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { SCHEDULE } from '#kinds/snapshot-schedule/resources.ts';
import { openClusterStore } from '#store/cluster/open-cluster-store.ts';
import { CONFIG_MAP } from '#test/store/fixtures.ts';
import { ALL_TYPES, FIRST_TYPES, isReferred } from '#test/support/cluster-lists.ts';
import type { CliResult } from '#test/support/run-cli.ts';
import type { ApiServer } from './support/api-server.ts';
import type { AuditEntry } from './support/audit-log.ts';
import { mustKubectl } from './support/install-policies.ts';
import { request } from './support/request.ts';
import { until } from './support/until.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createAll, createNamespace, listAll, namesOf, remove } from './world/api.ts';
import { runHere, tickAt } from './world/command-line.ts';
import { type Definition, install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { defragPolicy } from './world/objects.ts';
import { isWrite, lineOf, type SentRequests, sentTo } from './world/sent.ts';
import { DAILY, daysAfter, NOW, SLOT } from './world/times.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** One more than a page. */
const OBJECTS = 501;
const ACCOUNT = 'narrow';

/** What is read in every tick. */
const FIRST = FIRST_TYPES.filter(({ namespaced }) => namespaced)
  .map(({ plural }) => plural)
  .sort();
/** Where nothing is seen, nothing is seen to point anywhere. */
const NAMESPACED = ALL_TYPES.filter((type) => type.namespaced && !isReferred(type))
  .map(({ plural }) => plural)
  .sort();

let sent: SentRequests;

function nameOf(number: number): string {
  return `object-${String(number).padStart(4, '0')}`;
}

async function createConfigMaps(namespace: string): Promise<void> {
  const server = await sharedServer();
  await createNamespace(server, namespace);
  const names = Array.from({ length: OBJECTS }, (_, index) => nameOf(index));
  await createAll(
    server,
    CONFIG_MAP,
    names.map((name) => ({ metadata: { name, namespace } })),
  );
}

/** Every request of a store asks for credentials first: that is when something can be done between two pages. */
async function listWhile(namespace: string, before: (request: number) => Promise<void>): Promise<Listing> {
  const { url, ca, adminToken } = await sharedServer();
  let asked = 0;
  const store = openClusterStore({
    connection: {
      description: url,
      server: url,
      tls: { ca },
      credentials: async () => {
        asked += 1;
        await before(asked);
        return { Authorization: `Bearer ${adminToken}` };
      },
    },
    reach: { namespaces: [namespace], fallback: [] },
    clock: Date.now,
  });
  try {
    return await store.list(CONFIG_MAP);
  } finally {
    await store.close();
  }
}

async function codesOfLists(): Promise<readonly (number | undefined)[]> {
  return (await sent.next()).map(({ responseStatus }) => responseStatus?.code);
}

function namesIn(listing: Listing): readonly string[] {
  return listing.state === 'read' ? listing.objects.map(({ object }) => object.metadata.name) : [];
}

/** The rights of `policies/rbac/reconcile.yaml` in some namespaces, as `examples/cluster/one-namespace` gives them. */
async function makeAccount(server: ApiServer, namespaces: readonly string[]): Promise<string> {
  const example = join(ROOT, 'examples', 'cluster', 'one-namespace', 'cluster-repositories.yaml');
  const repositories = (await readFile(example, 'utf8'))
    .replace('name: minutehand-reconcile', `name: ${ACCOUNT}`)
    .replace('namespace: minutehand\n', 'namespace: default\n');
  await server.kubectl(['apply', '-f', '-'], repositories);
  await mustKubectl(server, ['apply', '-f', join(ROOT, 'policies', 'rbac', 'reconcile.yaml')]);
  await mustKubectl(server, ['create', 'serviceaccount', ACCOUNT, '-n', 'default']);
  const role = ['--clusterrole=minutehand-reconcile', `--serviceaccount=default:${ACCOUNT}`];
  for (const namespace of namespaces) {
    await mustKubectl(server, ['create', 'rolebinding', ACCOUNT, '-n', namespace, ...role]);
  }
  const token = await server.tokenFor('default', ACCOUNT);
  const last = `/apis/${POLICY.group}/${POLICY.version}/namespaces/${namespaces.at(-1)}/${POLICY.plural}`;
  await until('the rights are known', async () => {
    const { status } = await request(server, 'GET', last, { token });
    return status === 200 ? true : undefined;
  });
  return server.kubeconfigFor(token);
}

async function configFor(namespaces: readonly string[]): Promise<string> {
  const { folder } = await sharedServer();
  const file = join(folder, `${namespaces.join('-')}.yaml`);
  await writeFile(file, `namespaces: [${namespaces.join(', ')}]\n`);
  return file;
}

function unreadableIn(stderr: string): readonly string[] {
  return [...stderr.matchAll(/^error ListUnreadable: (.*) could not be read: /gm)].map(
    ([, what = '']) => what,
  );
}

function placeOf({ objectRef }: AuditEntry): string {
  const { namespace, resource = '' } = objectRef ?? {};
  return namespace === undefined ? resource : `${namespace}/${resource}`;
}

/** Another version than the one that is asked for. */
function otherVersion(definition: Definition): Definition {
  const versions = definition.spec.versions.map((version) => ({ ...version, name: 'v1alpha9' }));
  return { ...definition, spec: { ...definition.spec, versions } };
}

describeOnServer(
  'lists',
  () => {
    beforeAll(async () => {
      sent = sentTo(await sharedServer());
    });

    describe('that expire while they are read', () => {
      beforeAll(() => createConfigMaps('pages'));

      test('start again, and are whole as of one moment', async () => {
        const server = await sharedServer();
        await sent.next();
        const listing = await listWhile('pages', async (number) => {
          if (number !== 2) return;
          await remove(server, { type: CONFIG_MAP, namespace: 'pages', name: nameOf(0) });
          await create(server, CONFIG_MAP, { metadata: { name: 'zone', namespace: 'pages' } });
          await server.compact();
        });
        expect(await codesOfLists()).toEqual([200, 410, 200, 200]);
        expect(namesIn(listing)).toEqual(namesOf(await listAll(server, CONFIG_MAP, 'pages')));
        expect(namesIn(listing)).toHaveLength(OBJECTS);
      });

      test('again and again are unreadable, never short', async () => {
        const server = await sharedServer();
        const listing = await listWhile('pages', async (number) => {
          if (number % 2 !== 0) return;
          await create(server, CONFIG_MAP, { metadata: { name: `more-${number}`, namespace: 'pages' } });
          await server.compact();
        });
        expect(listing).toEqual({ state: 'unreadable', reason: 'the list expired while it was read' });
        expect(await codesOfLists()).toEqual([200, 410, 200, 410, 200, 410, 200, 410]);
      });
    });

    test('of a server that is not trusted are told as its fault', async () => {
      const server = await sharedServer();
      const trusting = await readFile(server.kubeconfig, 'utf8');
      const file = join(server.folder, 'no-authority.yaml');
      await writeFile(file, trusting.replace(/ *certificate-authority-data: .*\n/, ''));
      expect(await readFile(file, 'utf8')).not.toBe(trusting);
      const { code, stdout, stderr } = await runHere(tickAt(file, NOW));
      expect([code, stdout]).toEqual([1, '']);
      const [what = '', ...rest] = stderr.split('\n');
      expect(what).toMatch(`error ListUnreadable: the API server ${server.url} cannot be reached: `);
      expect(what).toMatch(/certificate/);
      expect(rest.join('\n')).toBe(
        '  fix:    check the address, and the certificate-authority-data of the cluster in the kubeconfig\n1 error.\n',
      );
    });

    test('of an address that is none of an API server are no success', async () => {
      const server = await sharedServer();
      const file = join(server.folder, 'elsewhere.yaml');
      const right = await readFile(server.kubeconfig, 'utf8');
      await writeFile(file, right.replace(server.url, `${server.url}/elsewhere`));
      const { code, stderr } = await runHere(tickAt(file, NOW));
      expect(code).toBe(1);
      expect(stderr).toContain('is this the address of an API server?');
    });

    describe('that are forbidden across namespaces', () => {
      const OURS = ['alpha', 'beta'];
      const ALL = [...OURS, 'gamma'];
      let kubeconfig = '';

      async function tick(now: Instant, ...flags: readonly string[]): Promise<CliResult> {
        await sent.next();
        return runHere(tickAt(kubeconfig, now, ...flags));
      }

      async function runs(): Promise<readonly string[]> {
        const server = await sharedServer();
        const lists = ALL.map(async (namespace) => {
          return namesOf(await listAll(server, DEFRAG, namespace)).map((name) => `${namespace}/${name}`);
        });
        return (await Promise.all(lists)).flat();
      }

      beforeAll(async () => {
        const server = await sharedServer();
        const definitions = await readDefinitions(OUR_DEFINITIONS);
        await install(
          server,
          definitions.filter(({ spec }) => spec.group === POLICY.group),
        );
        for (const namespace of ALL) {
          await createNamespace(server, namespace);
          const spec = { schedule: DAILY, concurrencyPolicy: 'Allow' };
          await create(server, POLICY, defragPolicy(`${namespace}/nightly`, { spec }));
        }
        kubeconfig = await makeAccount(server, OURS);
      });

      test('are unreadable, and the setting is named', async () => {
        const { code, stdout, stderr } = await tick(NOW);
        expect([code, stdout]).toEqual([1, '']);
        expect(unreadableIn(stderr)).toEqual([NAMESPACED.join(', ')]);
        expect(stderr).toContain(
          `could not be read: User "system:serviceaccount:default:${ACCOUNT}" may not list them in the whole cluster\n`,
        );
        expect(stderr.replace(/\n {2,}/g, ' ')).toContain(
          'or name the namespaces that it may read, with -n or `namespaces: [a, b]` in the configuration\n',
        );
        expect((await sent.next()).filter(isWrite)).toEqual([]);
      });

      test('are read namespace by namespace where some are configured', async () => {
        const { code, stderr } = await tick(NOW, '--config', await configFor(OURS));
        expect([code, unreadableIn(stderr)]).toEqual([0, []]);
        const lists = (await sent.next()).filter(({ verb }) => verb === 'list').map(placeOf);
        expect(lists.sort()).toEqual(
          OURS.flatMap((namespace) => [...FIRST, DEFRAG.plural].map((one) => `${namespace}/${one}`)).sort(),
        );
        expect(await runs()).toEqual(OURS.map((namespace) => `${namespace}/nightly-${SLOT}`));
      });

      test('are read in the one that is asked for', async () => {
        const before = await runs();
        const { code, stderr } = await tick(daysAfter(NOW, 1), '-n', 'alpha');
        expect([code, unreadableIn(stderr)]).toEqual([0, []]);
        const run = `alpha/nightly-${daysAfter(SLOT, 1)}`;
        expect(await runs()).toEqual([...before, run].sort());
      });

      test('have a gap where one of the configured namespaces is forbidden too', async () => {
        const before = await runs();
        const config = await configFor(['alpha', 'gamma']);
        const { code, stdout, stderr } = await tick(daysAfter(NOW, 2), '--config', config);
        expect(code).toBe(3);
        expect(stdout).toContain('Not everything could be read; this is about the part that could.');
        expect(unreadableIn(stderr)).toEqual([`${FIRST.join(', ')} of namespace gamma`]);
        const run = `alpha/nightly-${daysAfter(SLOT, 2)}`;
        expect(await runs()).toEqual([...before, run].sort());
      });
    });

    test('of a kind of which another version is served are absent, told once, and no error', async () => {
      const server = await sharedServer();
      const definitions = await readDefinitions(OUR_DEFINITIONS);
      await install(
        server,
        definitions
          // Those of the group before are there already.
          .filter(({ spec }) => spec.group !== POLICY.group)
          .map((one) => (one.spec.names.plural === SCHEDULE.plural ? otherVersion(one) : one)),
      );
      await sent.next();
      const { code, stderr } = await runHere(tickAt(server.kubeconfig, daysAfter(NOW, 3)));
      const served = `${SCHEDULE.plural} (${apiVersionOf(SCHEDULE)})`;
      expect([code, stderr]).toEqual([
        0,
        `note KindAbsent: this cluster does not serve ${served}\n  fix:    install its definition, or policies/crd where no operator brings it\n1 note.\n`,
      ]);
      expect((await sent.next()).filter(isWrite).map(lineOf)).toContain(
        `create etcddefrags gamma/nightly-${daysAfter(SLOT, 3)}`,
      );
    });

    test('of runs that are not served leave their schedules undecided', async () => {
      const server = await sharedServer();
      const definition = `${DEFRAG.plural}.${DEFRAG.group}`;
      const patch = JSON.stringify([{ op: 'replace', path: '/spec/versions/0/served', value: false }]);
      await mustKubectl(server, ['patch', 'crd', definition, '--type=json', '-p', patch]);
      const path = `/apis/${apiVersionOf(DEFRAG)}/${DEFRAG.plural}`;
      await until('the runs are not served', async () =>
        (await request(server, 'GET', path)).status === 404 ? true : undefined,
      );
      await sent.next();
      const { code, stdout } = await runHere(tickAt(server.kubeconfig, daysAfter(NOW, 4)));
      expect(code).toBe(3);
      expect(stdout).toContain('unreadable  EtcdDefragPolicy gamma/nightly');
      expect(stdout).toContain(`${DEFRAG.kind} is not served here`);
      expect((await sent.next()).filter(isWrite).map(lineOf)).toEqual([]);
    });
  },
  { watchCache: false },
);
