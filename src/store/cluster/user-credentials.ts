import { readFileSync } from 'node:fs';
import { ConnectionError } from './connection.ts';
import { type ExecCredential, execCredential } from './exec-credential.ts';
import { bearer } from './header-text.ts';
import type { Environment } from './kubeconfig-files.ts';
import type { AuthProvider, Exec, User } from './kubeconfig-schema.ts';
import type { Entry } from './read-kubeconfig.ts';
import type { Patience } from './run-plugin.ts';
import { type ClientCertificate, clientCertificateFrom, clientCertificateOf } from './tls-material.ts';

/** As whom is asked. Nothing of it: as nobody. */
export interface UserCredentials {
  /** Of the `Authorization` header. */
  readonly authorization?: string;
  readonly certificate?: ClientCertificate;
  /** Who else has to be asked for the header. */
  readonly authProvider?: AuthProvider;
  /** Milliseconds since the epoch, from which on they are refused. */
  readonly expires?: number;
}

export interface CredentialSources extends Patience {
  readonly env: Environment;
  /** What a plugin is told of the cluster, if its entry wishes so. */
  readonly cluster: unknown;
}

function tokenIn(file: string, owner: string): string {
  const what = `the tokenFile ${file} of ${owner}`;
  try {
    return bearer(readFileSync(file, 'utf8').trim(), what);
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new ConnectionError(`${what} cannot be read: ${cause}`);
  }
}

/** What the entry itself holds or points to; a file wins over a token beside it, as for kubectl. */
function writtenAuthorization(user: User, owner: string): string | undefined {
  const { token, tokenFile, username, password } = user;
  const isBasic = Boolean(username) || Boolean(password);
  if (isBasic && (token || tokenFile)) {
    throw new ConnectionError(
      `${owner} has both a token and a username or password; only one of them can be sent`,
    );
  }
  if (tokenFile) return tokenIn(tokenFile, owner);
  if (token) return bearer(token, `the token of ${owner}`);
  const pair = `${username ?? ''}:${password ?? ''}`;
  return isBasic ? `Basic ${Buffer.from(pair).toString('base64')}` : undefined;
}

async function fromPlugin(exec: Exec, owner: string, sources: CredentialSources): Promise<UserCredentials> {
  const { env, cluster } = sources;
  const given: ExecCredential = await execCredential({ exec, owner, cluster, env }, sources);
  const { token, certificate, expires } = given;
  const what = `the token that the plugin of ${owner} gave`;
  return {
    ...(token === undefined ? {} : { authorization: bearer(token, what) }),
    ...(certificate === undefined
      ? {}
      : { certificate: clientCertificateFrom(certificate.cert, certificate.key, owner) }),
    ...(expires === undefined ? {} : { expires }),
  };
}

/** They say nothing of who asks. */
const NO_CREDENTIALS = new Set(['as', 'as-uid', 'as-groups', 'as-user-extra', 'extensions']);

const KNOWN = new Set([
  ...['token', 'tokenFile', 'username', 'password', 'exec', 'auth-provider'],
  ...['client-certificate', 'client-certificate-data', 'client-key', 'client-key-data'],
]);

/** Whoever writes down credentials must not become a nobody in silence. */
function demandNone(user: User, owner: string): void {
  const named = Object.keys(user).filter((key) => user[key] !== undefined && !NO_CREDENTIALS.has(key));
  if (named.length === 0) return;
  // The key itself is not shown: who forgets `token:` may have written the token there.
  const empty = named.filter((key) => KNOWN.has(key));
  const why = empty.length === 0 ? 'its fields are not known' : `${empty.join(', ')} has no value`;
  throw new ConnectionError(`${owner} gives no credentials: ${why}`);
}

/**
 * What a user entry says of who asks. What it names and what cannot be had is an error.
 * @throws ConnectionError
 */
export async function userCredentials(
  { name, value }: Entry<User>,
  sources: CredentialSources,
): Promise<UserCredentials> {
  const owner = `the kubeconfig's user ${JSON.stringify(name)}`;
  const { exec, 'auth-provider': authProvider } = value;
  if (exec && authProvider) throw new ConnectionError(`${owner} has both exec and auth-provider; remove one`);
  const authorization = writtenAuthorization(value, owner);
  const certificate = clientCertificateOf(value, owner);
  // As for kubectl, nobody is asked for what is there.
  if (authorization === undefined && certificate === undefined && exec)
    return fromPlugin(exec, owner, sources);
  if (authorization === undefined && certificate === undefined && !authProvider) demandNone(value, owner);
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(authorization === undefined && authProvider ? { authProvider } : {}),
  };
}
