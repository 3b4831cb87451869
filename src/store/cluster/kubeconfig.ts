import { Agent as PlainAgent } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
// The package's own entry loads every model of the API; this file of it is what kubeconfigs need.
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { textMembers } from '#core/object/canonical.ts';
import { type Chosen, chooseContext } from './choose-context.ts';
import { proxyOf, serverOf } from './cluster-address.ts';
import type { ConnectContext } from './connect-context.ts';
import { type Connection, ConnectionError } from './connection.ts';
import { headerText } from './header-text.ts';
import { type KubeconfigRequest, kubeconfigFiles } from './kubeconfig-files.ts';
import type { AuthProvider, Cluster } from './kubeconfig-schema.ts';
import type { Patience } from './run-plugin.ts';
import { authorityOf } from './tls-material.ts';
import { type UserCredentials, userCredentials } from './user-credentials.ts';

type Headers = Readonly<Record<string, string>>;

/** What is sent and how, and until when its credentials are good. */
interface Transport {
  readonly server: string;
  readonly options: RequestOptions;
  readonly headers: Headers;
  readonly expires: number;
}

const EXTENSION = 'client.authentication.k8s.io/exec';

/** What a credential plugin is told of the cluster. */
function clusterInfo(server: string, cluster: Cluster, authority: Buffer | undefined): object {
  const config = cluster.extensions?.find(({ name }) => name === EXTENSION)?.extension;
  return {
    server,
    'tls-server-name': cluster['tls-server-name'] ?? undefined,
    'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'] ?? undefined,
    'certificate-authority-data': authority?.toString('base64'),
    'proxy-url': cluster['proxy-url'] ?? undefined,
    config,
  };
}

const PROVIDERS = ['oidc', 'azure', 'gcp'];

/** For the library. A command of an entry is not run: kubectl runs plugins of `exec` only, and those have a deadline. */
function providerOf({ name, config }: AuthProvider, owner: string): object {
  if (!name || !PROVIDERS.includes(name)) {
    throw new ConnectionError(
      `${owner} has an auth-provider that is not known; use exec, or one of ${PROVIDERS.join(', ')}`,
    );
  }
  const { 'cmd-path': _command, ...plain } = config ?? {};
  return { name, config: plain };
}

interface Checked {
  readonly server: string;
  readonly ca: Buffer | undefined;
  readonly proxy: string | undefined;
  readonly credentials: UserCredentials;
}

/** Nobody else has to be asked, and nothing lies between: what the library would make of it, without loading that. */
function directOptions({ cluster: { value } }: Chosen, { server, ca, credentials }: Checked): RequestOptions {
  const servername = value['tls-server-name'];
  return {
    ...credentials.certificate,
    ...(ca === undefined ? {} : { ca }),
    ...(servername ? { servername } : {}),
    ...(isUnverified(value, server) ? { rejectUnauthorized: false } : {}),
  };
}

function isUnverified(cluster: Cluster, server: string): boolean {
  return cluster['insecure-skip-tls-verify'] === true || server.startsWith('http:');
}

/** As the library wants it. */
function libraryConfig(chosen: Chosen, { server, ca, proxy, credentials }: Checked): KubeConfig {
  const { name, value } = chosen.cluster;
  const { authProvider, certificate } = credentials;
  const servername = value['tls-server-name'];
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    {
      name,
      server,
      skipTLSVerify: isUnverified(value, server),
      ...(ca === undefined ? {} : { caData: ca.toString('base64') }),
      ...(proxy === undefined ? {} : { proxyUrl: proxy }),
      ...(servername ? { tlsServerName: servername } : {}),
    },
    {
      name: chosen.user?.name ?? '',
      ...(certificate === undefined
        ? {}
        : { certData: certificate.cert.toString('base64'), keyData: certificate.key.toString('base64') }),
      ...(authProvider ? { authProvider: providerOf(authProvider, ownerOf(chosen)) } : {}),
    },
  );
  return config;
}

function ownerOf({ user }: Chosen): string {
  return `the kubeconfig's user ${JSON.stringify(user?.name ?? '')}`;
}

/** Rejects when the patience ends. */
function deadline({ timeoutMs, stop }: Patience): Promise<never> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** The library's own errors quote what a provider or a proxy said, or nothing that helps. */
async function requestOptions(
  config: KubeConfig,
  chosen: Chosen,
  patience: Patience,
): Promise<RequestOptions> {
  const options: RequestOptions = {};
  const provider = config.users[0]?.authProvider?.name;
  const isAnswered = (): boolean => headersIn(options)['Authorization'] !== undefined;
  try {
    await Promise.race([config.applyToHTTPSOptions(options), deadline(patience)]);
  } catch {
    if (provider === undefined || isAnswered()) {
      throw new ConnectionError('the proxy-url of the kubeconfig cannot be used');
    }
  }
  if (provider === undefined || isAnswered()) return options;
  const fix = 'log in again, or use a plugin (exec) of your provider';
  throw new ConnectionError(
    `the auth-provider ${provider} of ${ownerOf(chosen)} gave no valid token; ${fix}`,
  );
}

function headersIn({ headers }: RequestOptions): Headers {
  const texts = Object.entries(textMembers(headers));
  return Object.fromEntries(texts.map(([name, text]) => [name, headerText(text, `the header ${name}`)]));
}

function headersOf({ authorization }: UserCredentials, as: string | null | undefined): Headers {
  return {
    ...(authorization === undefined ? {} : { Authorization: authorization }),
    ...(as ? { 'Impersonate-User': headerText(as, 'the name to act as') } : {}),
  };
}

async function transportOf(
  files: readonly string[],
  request: KubeconfigRequest,
  { env, ...patience }: ConnectContext,
): Promise<Transport> {
  const chosen = chooseContext(files, request);
  const { cluster, user } = chosen;
  const server = serverOf(cluster);
  const ca = authorityOf(cluster.value, `the kubeconfig's cluster ${JSON.stringify(cluster.name)}`);
  const proxy = proxyOf(cluster);
  const info = clusterInfo(server, cluster.value, ca);
  const credentials =
    user === undefined ? {} : await userCredentials(user, { ...patience, env, cluster: info });
  const checked = { server, ca, proxy, credentials };
  const isDirect = proxy === undefined && !credentials.authProvider;
  const options = isDirect
    ? directOptions(chosen, checked)
    : await requestOptions(libraryConfig(chosen, checked), chosen, patience);
  const headers = { ...headersIn(options), ...headersOf(credentials, request.as ?? user?.value.as) };
  return { server, options, headers, expires: credentials.expires ?? Number.POSITIVE_INFINITY };
}

function isProxy(agent: RequestOptions['agent']): agent is Agent {
  return typeof agent === 'object' && agent.constructor !== Agent && agent.constructor !== PlainAgent;
}

/**
 * The connection that kubectl would use with the same flags: `--kubeconfig`, else the list in KUBECONFIG, else
 * `~/.kube/config`.
 * @throws ConnectionError
 */
export async function kubeconfigConnection(
  request: KubeconfigRequest,
  context: ConnectContext,
): Promise<Connection> {
  const files = kubeconfigFiles(request, context.env);
  const first = await transportOf(files, request, context);
  const { ca, cert, key, servername, rejectUnauthorized, agent } = first.options;
  const given = Object.entries({ ca, cert, key, servername, rejectUnauthorized }).filter(
    ([, value]) => value !== undefined,
  );
  let { headers, expires } = first;

  async function replace(): Promise<void> {
    try {
      const next = await transportOf(files, request, context);
      headers = next.headers;
      expires = next.expires;
    } finally {
      // What is no better than before, or could not be had, is not asked for once more: the server judges it.
      if (context.clock() >= expires) expires = Number.POSITIVE_INFINITY;
    }
  }

  let replacing: Promise<void> | undefined;

  /** Once for all requests that wait for it. */
  function renew(): Promise<void> {
    replacing ??= replace().finally(() => {
      replacing = undefined;
    });
    return replacing;
  }

  return {
    description: `cluster ${first.server}`,
    server: first.server,
    tls: Object.fromEntries(given),
    ...(isProxy(agent) ? { agent } : {}),
    credentials: async (refused) => {
      if (refused) await renew();
      else if (context.clock() >= expires) await renew().catch(() => undefined);
      return headers;
    },
  };
}
