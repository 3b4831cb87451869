import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadedBy } from '#test/support/loaded-modules.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { kubeconfigOf } from './kubeconfig-case.ts';

/** What reads kubeconfigs, and nobody else needs. */
const READERS = ['@kubernetes/client-node', 'cluster/kubeconfig.ts', 'cluster/exec-credential.ts'];

function readersIn(urls: string): readonly string[] {
  return READERS.filter((reader) => urls.includes(reader));
}

test('what reads kubeconfigs is loaded where there is one', async () => {
  const folder = await temporaryFolder({ config: kubeconfigOf({}, { server: 'http://127.0.0.1:1' }) });
  const urls = await loadedBy(['plan', '--kubeconfig', join(folder, 'config')], {});
  expect(readersIn(urls)).toEqual(READERS);
});

test('it is not loaded in a pod', async () => {
  const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '1' };
  const urls = await loadedBy(['reconcile'], env);
  expect(urls).toContain('cluster/in-cluster.ts');
  expect(readersIn(urls)).toEqual([]);
});

test('it is not loaded for manifests', async () => {
  const urls = await loadedBy(['plan', '-f', 'examples/etcd-defrag'], {});
  expect(urls).toContain('cli/verb/plan.ts');
  expect(readersIn(urls)).toEqual([]);
});
