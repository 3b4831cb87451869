import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { allRules } from '#test/monitoring/files.ts';
import { namesIn, namesOfObjects, OF_CRON_JOBS } from '#test/monitoring/metric-names.ts';
import { type KubeStateMetrics, startKubeStateMetrics } from './metrics/kube-state-metrics.ts';
import { EXPORTED, NAMESPACE, nameOf } from './metrics/objects.ts';
import type { ApiServer } from './support/api-server.ts';
import { mustKubectl } from './support/install-policies.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createNamespace, must, patchStatus } from './world/api.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';

const ACCOUNT = { namespace: 'monitoring', name: 'kube-state-metrics' };

/** The rights of the example and no other. */
async function kubeconfigOfAccount(server: ApiServer): Promise<string> {
  await createNamespace(server, ACCOUNT.namespace);
  await must(server, 'POST', `/api/v1/namespaces/${ACCOUNT.namespace}/serviceaccounts`, {
    metadata: { name: ACCOUNT.name },
  });
  await mustKubectl(server, ['apply', '--server-side', '-f', resolve('examples/monitoring/rbac.yaml')]);
  return server.kubeconfigFor(await server.tokenFor(ACCOUNT.namespace, ACCOUNT.name));
}

/** @returns the series that must be there, with what the server says of the creation */
async function plant(server: ApiServer): Promise<ReadonlyMap<string, number>> {
  const wanted = new Map<string, number>();
  for (const exported of EXPORTED) {
    const { type, object, status, created, series } = exported;
    const { metadata } = await create(server, type, object);
    const where = { type, namespace: NAMESPACE, name: object.metadata.name };
    if (status !== undefined) await patchStatus(server, where, status);
    const { creationTimestamp } = metadata as { readonly creationTimestamp: string };
    if (created !== undefined) wanted.set(nameOf(exported, created), Date.parse(creationTimestamp) / 1000);
    for (const [metric, value, labels] of series) wanted.set(nameOf(exported, metric, labels), value);
  }
  return wanted;
}

const metricOf = (series: string) => series.split('{')[0] ?? '';

describeOnServer(
  'kube-state-metrics with the file and the rights of the example',
  () => {
    const isOurs = (name: string) => [...namesOfObjects(), ...OF_CRON_JOBS].includes(metricOf(name));
    let wanted: ReadonlyMap<string, number>;
    let metrics: KubeStateMetrics;

    beforeAll(async () => {
      const server = await sharedServer();
      const definitions = await readDefinitions(OUR_DEFINITIONS);
      const isLate = ({ spec }: (typeof definitions)[number]) => spec.group === POLICY.group;
      await install(
        server,
        definitions.filter((one) => !isLate(one)),
      );
      metrics = await startKubeStateMetrics(server, await kubeconfigOfAccount(server));
      // It answers before this kind is there, and finds it when it comes.
      await metrics.scrape(() => true);
      await install(server, definitions.filter(isLate));
      await createNamespace(server, NAMESPACE);
      wanted = await plant(server);
    }, 60_000);

    test('exports exactly these series of these objects', async () => {
      const found = await metrics.scrape((series) => [...wanted.keys()].every((name) => series.has(name)));
      const ours = [...found].filter(([name]) => isOurs(name));
      expect(Object.fromEntries(ours.sort())).toEqual(Object.fromEntries([...wanted].sort()));
    }, 60_000);

    test('has every metric of the file, and every one of the rules that it is asked for', () => {
      const exported = new Set([...wanted.keys()].map(metricOf));
      expect(namesOfObjects().filter((name) => !exported.has(name))).toEqual([]);
      const asked = allRules().flatMap(({ expr }) =>
        namesIn(expr).filter((name) => name.startsWith('kube_')),
      );
      expect(asked.filter((name) => !exported.has(name))).toEqual([]);
      expect([...new Set(asked)].sort()).toEqual([...OF_CRON_JOBS].sort());
    });

    test('was refused nothing, and complains of no field that is not there', async () => {
      const log = await metrics.log();
      expect(log).not.toMatch(/forbidden|cannot list|got nil|expected value/i);
      // Written where the rights and the file were fine.
      expect(log).toContain('Custom resource state added metrics');
    });
  },
  { also: ['kube-state-metrics'] },
);
