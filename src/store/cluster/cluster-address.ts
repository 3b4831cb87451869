import { ConnectionError } from './connection.ts';
import type { Cluster } from './kubeconfig-schema.ts';
import type { Entry } from './read-kubeconfig.ts';

function isUrl(text: string): boolean {
  // `host:6443` reads as a URL, too, whose protocol is `host:`.
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** A name and a password before the host are not shown. */
function shown(text: string): string {
  return JSON.stringify(text.replace(/^(\w*:?\/\/)?.*@/s, '$1…@'));
}

/**
 * Of a cluster's API server, without a slash at its end.
 * @throws ConnectionError
 */
export function serverOf({ name, value }: Entry<Cluster>): string {
  const cluster = `the kubeconfig's cluster ${JSON.stringify(name)}`;
  const { server } = value;
  if (!server) throw new ConnectionError(`${cluster} has no server; write https://HOST:PORT`);
  if (!isUrl(server)) {
    const fix = `write https://${/^[\w.-]+(?::\d{1,5})?$/.test(server) ? server : 'HOST:PORT'}`;
    throw new ConnectionError(`${cluster} has server ${shown(server)}, which is no URL; ${fix}`);
  }
  const { username, password } = new URL(server);
  if (username !== '' || password !== '') {
    const fix = 'they belong into a user entry';
    throw new ConnectionError(`${cluster} has server ${shown(server)}, with credentials in it; ${fix}`);
  }
  return server.replace(/\/+$/, '').replace(/^https?/i, (scheme) => scheme.toLowerCase());
}

const PROXIES = /^(?:https?|socks(?:4a?|5h?)?):\/\/./i;

/**
 * Of the proxy before a cluster, where there is one.
 * @throws ConnectionError
 */
export function proxyOf({ name, value }: Entry<Cluster>): string | undefined {
  const proxy = value['proxy-url'];
  if (!proxy) return undefined;
  if (PROXIES.test(proxy) && URL.canParse(proxy)) return proxy;
  const fix = 'write http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT';
  throw new ConnectionError(
    `the kubeconfig's cluster ${JSON.stringify(name)} has a proxy-url that is no URL of a proxy; ${fix}`,
  );
}
