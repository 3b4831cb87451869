import { isatty } from 'node:tty';
import { isObject } from '#core/object/canonical.ts';
import { parseJson } from '#core/object/parse-json.ts';
import { ConnectionError } from './connection.ts';
import type { Environment } from './kubeconfig-files.ts';
import type { Exec } from './kubeconfig-schema.ts';
import { type Patience, type PluginEnd, runPlugin } from './run-plugin.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What a plugin gave; at least one of both. */
export interface ExecCredential {
  readonly token: string | undefined;
  readonly certificate: { readonly cert: string; readonly key: string } | undefined;
  /** Milliseconds since the epoch, from which on it is refused. */
  readonly expires: number | undefined;
}

export interface ExecRequest {
  readonly exec: Exec;
  /** Whose plugin it is, for people. */
  readonly owner: string;
  /** What the plugin is told of the cluster, if its entry wishes so. */
  readonly cluster: unknown;
  readonly env: Environment;
}

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

const STDIN = 0;

/** The first word: what else stands there by mistake may be anything. */
function plainName(command: string): string {
  const [first = ''] = command.split(/\s/, 1);
  return JSON.stringify(first === command ? command : `${first} …`);
}

function isInteractive({ interactiveMode }: Exec, what: string): boolean {
  const mode = interactiveMode ?? 'IfAvailable';
  if (mode === 'Always' && !isatty(STDIN)) {
    throw new ConnectionError(`${what} asks a person (interactiveMode: Always), and there is no terminal`);
  }
  return mode !== 'Never' && isatty(STDIN);
}

function notStarted(code: string, { command, installHint }: Exec): string {
  if (code === 'ENOENT') {
    const hint = installHint?.trim() ? `; ${installHint.trim().replace(/\s+/g, ' ')}` : '';
    const fix = command && /\s/.test(command) ? '; its arguments belong into args' : '';
    return `is not there${fix}${hint}`;
  }
  return code === 'EACCES' ? 'may not be executed' : `cannot be started (${code})`;
}

/** What its end has against it; the rest is read from what it printed. */
function endFault(end: PluginEnd, exec: Exec, timeoutMs: number): string | undefined {
  switch (end.state) {
    case 'not started':
      return notStarted(end.code, exec);
    case 'too long':
      return `gave no credentials within ${timeoutMs / 1000} s and was ended`;
    case 'too much':
      return 'printed far more than an ExecCredential and was ended';
    case 'stopped':
      return 'was ended, because this process was told to end';
    case 'ended': {
      if (end.code === 0) return undefined;
      const how =
        typeof end.code === 'number' ? `failed with exit code ${end.code}` : `was ended by ${end.code}`;
      const secrets = [end.stdout, ...(exec.env ?? []).map(({ value }) => value)];
      const said = withoutSecrets(end.stderr, secrets);
      return said === '' ? how : `${how} and said: ${said}`;
    }
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** As kubectl checks it. A text says what is wrong, and shows nothing of the output. */
function readCredential(output: string, apiVersion: string): ExecCredential | string {
  const answer = parseJson(output);
  if (!isObject(answer) || answer['kind'] !== 'ExecCredential') return 'printed no ExecCredential in JSON';
  if (answer['apiVersion'] !== apiVersion) return `printed an ExecCredential that is not of ${apiVersion}`;
  const { status } = answer;
  if (!isObject(status)) return 'printed an ExecCredential without a status';
  const [token, cert, key] = ['token', 'clientCertificateData', 'clientKeyData'].map((name) =>
    textOf(status[name]),
  );
  if ((cert === undefined) !== (key === undefined)) return 'gave only one of client certificate and key';
  if (token === undefined && cert === undefined) return 'gave neither a token nor a client certificate';
  const expiry = textOf(status['expirationTimestamp']);
  const expires = expiry === undefined ? undefined : Date.parse(expiry);
  if (Number.isNaN(expires)) return 'gave an expirationTimestamp that is no time';
  const certificate = cert === undefined || key === undefined ? undefined : { cert, key };
  return { token, certificate, expires };
}

/**
 * Runs the credential plugin of a kubeconfig, by the protocol of client.authentication.k8s.io.
 * @throws ConnectionError
 */
export async function execCredential(request: ExecRequest, patience: Patience): Promise<ExecCredential> {
  const { exec, owner, cluster, env } = request;
  const { command, apiVersion } = exec;
  if (!command) throw new ConnectionError(`${owner} has an exec without a command`);
  const what = `the plugin ${plainName(command)} of ${owner}`;
  if (!apiVersion || !VERSIONS.includes(apiVersion)) {
    throw new ConnectionError(`${what} must have apiVersion ${VERSIONS.join(' or ')}`);
  }
  const interactive = isInteractive(exec, what);
  const spec = { interactive, ...(exec.provideClusterInfo ? { cluster } : {}) };
  const own = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]));
  const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
  const end = await runPlugin(
    { command, args: exec.args ?? [], env: { ...env, ...own, KUBERNETES_EXEC_INFO: info }, interactive },
    patience,
  );
  const fault = endFault(end, exec, patience.timeoutMs);
  const credential = fault ?? readCredential(end.state === 'ended' ? end.stdout : '', apiVersion);
  if (typeof credential === 'string') throw new ConnectionError(`${what} ${credential}`);
  return credential;
}
