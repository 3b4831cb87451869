import { Agent as PlainAgent } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
// The package's own entry loads every model of the API; this file of it is what kubeconfigs need.
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { type Connection, ConnectionError } from './connection.ts';
import { type Environment, type KubeconfigRequest, kubeconfigFiles } from './kubeconfig-files.ts';

/** The reader of YAML tells the place apart from the reason, and shows lines of the file, which may hold secrets. */
function isYamlFault(error: unknown): error is YamlFault {
  return error instanceof Error && 'reason' in error && typeof error.reason === 'string';
}

interface YamlFault extends Error {
  readonly reason: string;
  /** Both from 0. */
  readonly mark?: { readonly line: number; readonly column: number };
}

function unreadable(file: string, error: unknown): ConnectionError {
  if (isYamlFault(error)) {
    const { reason, mark } = error;
    const place = mark === undefined ? '' : `:${mark.line + 1}:${mark.column + 1}`;
    return new ConnectionError(`the kubeconfig ${file}${place} cannot be read: ${reason}`);
  }
  const cause = error instanceof Error ? error.message : String(error);
  return new ConnectionError(`the kubeconfig ${file} cannot be read: ${cause}`);
}

function load(file: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromFile(file);
  } catch (error) {
    throw unreadable(file, error);
  }
  return config;
}

interface Named {
  readonly name: string;
}

function added<T extends Named>(first: readonly T[], more: readonly T[]): T[] {
  return [...first, ...more.filter(({ name }) => first.every((one) => one.name !== name))];
}

/** As kubectl merges them: of two entries of one name the first counts. */
function merge(files: readonly string[]): KubeConfig {
  const merged = new KubeConfig();
  merged.loadFromOptions({ clusters: [], users: [], contexts: [], currentContext: undefined });
  for (const config of files.map(load)) {
    merged.clusters = added(merged.clusters, config.clusters);
    merged.users = added(merged.users, config.users);
    merged.contexts = added(merged.contexts, config.contexts);
    merged.currentContext ||= config.currentContext;
  }
  return merged;
}

function namesOf(items: readonly Named[]): string {
  return items.length === 0 ? 'it has none' : `it has ${items.map(({ name }) => name).join(', ')}`;
}

function find<T extends Named>(items: readonly T[], name: string, what: string): T {
  const item = items.find((one) => one.name === name);
  if (item === undefined) {
    throw new ConnectionError(
      `the kubeconfig has no ${what} named ${JSON.stringify(name)}; ${namesOf(items)}`,
    );
  }
  return item;
}

function isUrl(text: string): boolean {
  // `host:6443` reads as a URL, too, whose protocol is `host:`.
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Without a slash at its end. */
function serverOf({ name, server }: KubeConfig['clusters'][number]): string {
  if (isUrl(server)) return server.replace(/\/+$/, '');
  const [cluster, shown] = [name, server].map((text) => JSON.stringify(text));
  const fix = `write https://${/^[\w.-]+(?::\d+)?$/.test(server) ? server : 'HOST:PORT'}`;
  throw new ConnectionError(
    `the kubeconfig's cluster ${cluster} has server ${shown}, which is no URL; ${fix}`,
  );
}

/** One cluster and one user, as flags and current context choose them, under a context of their own. */
function chosen(config: KubeConfig, request: KubeconfigRequest): { config: KubeConfig; server: string } {
  const context = request.context ?? config.currentContext;
  if (!context && (request.cluster === undefined || request.user === undefined)) {
    const fix = 'choose one with --context, or `kubectl config use-context NAME`';
    throw new ConnectionError(`the kubeconfig has no current context (${namesOf(config.contexts)}); ${fix}`);
  }
  const entry = context ? find(config.contexts, context, 'context') : undefined;
  const cluster = find(config.clusters, request.cluster ?? entry?.cluster ?? '', 'cluster');
  const userName = request.user ?? entry?.user ?? '';
  const user = userName === '' ? { name: '' } : find(config.users, userName, 'user');
  const server = serverOf(cluster);
  const one = new KubeConfig();
  const skipTLSVerify = cluster.skipTLSVerify || server.startsWith('http:');
  one.loadFromClusterAndUser(
    { ...cluster, skipTLSVerify },
    request.as === undefined ? user : { ...user, impersonateUser: request.as },
  );
  return { config: one, server };
}

async function optionsOf(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new ConnectionError(`the credentials of the kubeconfig cannot be used: ${cause}`);
  }
  return options;
}

function headersOf({ headers, auth }: RequestOptions): Readonly<Record<string, string>> {
  const basic = typeof auth === 'string' ? { Authorization: `Basic ${btoa(auth)}` } : {};
  const texts = Object.entries(headers ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { ...basic, ...Object.fromEntries(texts) };
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
  env: Environment,
): Promise<Connection> {
  const files = kubeconfigFiles(request, env);
  const choose = (): ReturnType<typeof chosen> => chosen(merge(files), request);
  const { config, server } = choose();
  const options = await optionsOf(config);
  const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized, agent } = options;
  let headers = headersOf(options);
  const tls = { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized };
  const given = Object.entries(tls).filter(([, value]) => value !== undefined);
  return {
    description: `cluster ${server}`,
    server,
    tls: Object.fromEntries(given),
    ...(isProxy(agent) ? { agent } : {}),
    credentials: async (renew) => {
      if (renew) headers = headersOf(await optionsOf(choose().config));
      return headers;
    },
  };
}
