import { stringify } from 'yaml';
import type { Endpoint } from './request.ts';

/** The text of a kubeconfig with one cluster, one user and one context, all named `test`. */
export function kubeconfigText({ url, ca }: Pick<Endpoint, 'url' | 'ca'>, token: string): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'test',
        cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
      },
    ],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  });
}
