/** The text of a kubeconfig for a server that speaks plain HTTP and lets everybody in; all in it is named `test`. */
export function plainKubeconfig(server: string): string {
  return JSON.stringify({
    clusters: [{ name: 'test', cluster: { server } }],
    contexts: [{ name: 'test', context: { cluster: 'test' } }],
    'current-context': 'test',
  });
}
