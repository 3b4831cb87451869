import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCluster } from '#store/cluster/open-cluster.ts';
import { selfSigned } from '#test/support/certificate.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import {
  authorizationOf,
  connectBy,
  credentialOf,
  faultOf,
  kubeconfigOf,
  plugin,
  printing,
  V1,
} from './kubeconfig-case.ts';

const V1BETA1 = 'client.authentication.k8s.io/v1beta1';

/** Prints its own world as the token, so that a test can see it. */
const TELLING = `
  const told = { info: JSON.parse(process.env.KUBERNETES_EXEC_INFO), args: process.argv.slice(1), env: process.env.MORE };
  const token = Buffer.from(JSON.stringify(told)).toString('base64');
  console.log(JSON.stringify({ apiVersion: told.info.apiVersion, kind: 'ExecCredential', status: { token } }));
`;

async function toldTo(user: object, cluster: object = {}, env = {}): Promise<unknown> {
  const header = (await authorizationOf(await connectBy(kubeconfigOf(user, cluster), { env }))) ?? '';
  return JSON.parse(Buffer.from(header.replace('Bearer ', ''), 'base64').toString('utf8'));
}

describe('a credential plugin', () => {
  test('gets its arguments, its environment and what is wanted, by the protocol', async () => {
    const args = ['-e', TELLING, 'one', 'two'];
    const user = plugin('', { args, env: [{ name: 'MORE', value: 'own' }] });
    expect(await toldTo(user, {}, { MORE: 'outer' })).toEqual({
      info: { apiVersion: V1, kind: 'ExecCredential', spec: { interactive: false } },
      args: ['one', 'two'],
      env: 'own',
    });
  });

  test('is told of the cluster where its entry wishes so', async () => {
    const { cert } = selfSigned('stage');
    const authority = Buffer.from(cert).toString('base64');
    const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'stage' } };
    const cluster = {
      'certificate-authority-data': authority,
      'tls-server-name': 'inner',
      extensions: [extension],
    };
    const told = await toldTo(plugin(TELLING, { apiVersion: V1BETA1, provideClusterInfo: true }), cluster);
    expect(told).toMatchObject({
      info: {
        apiVersion: V1BETA1,
        spec: {
          cluster: {
            server: 'https://stage.example:6443',
            'certificate-authority-data': authority,
            'tls-server-name': 'inner',
            config: { audience: 'stage' },
          },
        },
      },
    });
  });

  test('is found beside the kubeconfig by a path', async () => {
    const answer = JSON.stringify(credentialOf({ token: 'beside' }));
    const folder = await temporaryFolder({
      'bin/plugin': `#!/bin/sh\ncat <<'END'\n${answer}\nEND\n`,
      config: kubeconfigOf({ exec: { apiVersion: V1, command: './bin/plugin' } }),
    });
    await chmod(join(folder, 'bin/plugin'), 0o755);
    const request = { kubeconfig: join(folder, 'config') };
    const connection = await connectBy('', { request, env: { PATH: process.env['PATH'] } });
    expect(await authorizationOf(connection)).toBe('Bearer beside');
  });

  test('may give a client certificate', async () => {
    const { cert, key } = selfSigned('ann');
    const status = { clientCertificateData: cert, clientKeyData: key };
    const connection = await connectBy(kubeconfigOf(printing(credentialOf(status))));
    expect(connection.tls).toMatchObject({ cert: Buffer.from(cert), key: Buffer.from(key) });
    expect(await connection.credentials(false)).toEqual({});
  });

  /** Every run gives another token, good for a minute. */
  const COUNTING = (file: string, expirationTimestamp?: string): string => `
    require('node:fs').appendFileSync(${JSON.stringify(file)}, 'x');
    const token = 'run-' + require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8').length;
    console.log(JSON.stringify({ apiVersion: '${V1}', kind: 'ExecCredential',
      status: { token, expirationTimestamp: ${JSON.stringify(expirationTimestamp)} } }));
  `;

  test('is asked again when the server refuses its token, and not before', async () => {
    const file = join(await temporaryFolder(), 'runs');
    const connection = await connectBy(kubeconfigOf(plugin(COUNTING(file))));
    expect(await authorizationOf(connection)).toBe('Bearer run-1');
    expect(await connection.credentials(true)).toEqual({ Authorization: 'Bearer run-2' });
    expect(await readFile(file, 'utf8')).toBe('xx');
  });

  test('is asked again when its token has expired', async () => {
    const file = join(await temporaryFolder(), 'runs');
    const expiry = '2026-11-30T03:01:00Z';
    let now = Date.parse('2026-11-30T03:00:00Z');
    const connection = await connectBy(kubeconfigOf(plugin(COUNTING(file, expiry))), { clock: () => now });
    expect(await authorizationOf(connection)).toBe('Bearer run-1');
    now = Date.parse(expiry);
    const together = await Promise.all([authorizationOf(connection), authorizationOf(connection)]);
    expect(together).toEqual(['Bearer run-2', 'Bearer run-2']);
    // The second one is as old; the server may judge it.
    expect(await authorizationOf(connection)).toBe('Bearer run-2');
    expect(await readFile(file, 'utf8')).toBe('xx');
  });
});

describe('a credential plugin that cannot be used is named, with what is wrong', () => {
  const NODE = `the plugin ${JSON.stringify(process.execPath)} of the kubeconfig's user "ann"`;
  const { cert, key } = selfSigned('ann');
  const other = selfSigned('eve');
  const status = (clientCertificateData: string, clientKeyData?: string): object =>
    printing(credentialOf({ clientCertificateData, clientKeyData }));
  test.each<readonly [string, object, string]>([
    ['that fails in silence', plugin('process.exit(3)'), `${NODE} failed with exit code 3`],
    [
      'that fails and says why',
      plugin("console.error('log in first\\nthen again'); process.exit(1)"),
      `${NODE} failed with exit code 1 and said: log in first then again`,
    ],
    ['that is killed', plugin("process.kill(process.pid, 'SIGKILL')"), `${NODE} was ended by SIGKILL`],
    ['that prints no JSON', printing('token: abc'), `${NODE} printed no ExecCredential in JSON`],
    ['that prints something else', printing({ token: 'abc' }), `${NODE} printed no ExecCredential in JSON`],
    [
      'that answers in another version',
      printing(credentialOf({ token: 't' }, V1BETA1)),
      `${NODE} printed an ExecCredential that is not of ${V1}`,
    ],
    ['that gives half a pair', status(cert), `${NODE} gave only one of client certificate and key`],
    [
      'that gives no certificate',
      status('none', key),
      'the clientCertificateData of the kubeconfig\'s user "ann" is no certificate in PEM',
    ],
    [
      'that gives the key of another',
      status(cert, other.key),
      'the clientKeyData of the kubeconfig\'s user "ann" does not belong to its certificate',
    ],
    [
      'that gives no time',
      printing(credentialOf({ token: 't', expirationTimestamp: 'soon' })),
      `${NODE} gave an expirationTimestamp that is no time`,
    ],
    [
      'that prints without end',
      plugin("setInterval(() => process.stdout.write('x'.repeat(65536)))"),
      `${NODE} printed far more than an ExecCredential and was ended`,
    ],
    [
      'that is not there',
      { exec: { apiVersion: V1, command: 'no-such-plugin', installHint: 'get it\nfrom example.com' } },
      'the plugin "no-such-plugin" of the kubeconfig\'s user "ann" is not there; get it from example.com',
    ],
    [
      'that is not there because its arguments stand in its command',
      { exec: { apiVersion: V1, command: 'aws eks get-token' } },
      'the plugin "aws …" of the kubeconfig\'s user "ann" is not there; its arguments belong into args',
    ],
    [
      'that is a folder',
      { exec: { apiVersion: V1, command: '/tmp' } },
      'the plugin "/tmp" of the kubeconfig\'s user "ann" may not be executed',
    ],
    [
      'of a version that kubectl does not know any more',
      plugin('', { apiVersion: 'client.authentication.k8s.io/v1alpha1' }),
      `${NODE} must have apiVersion ${V1} or ${V1BETA1}`,
    ],
    ['without a command', { exec: { apiVersion: V1 } }, 'user "ann" has an exec without a command'],
    [
      'of an unknown mode',
      plugin('', { interactiveMode: 'Sometimes' }),
      'users[0].user.exec.interactiveMode must be one of Never, IfAvailable, Always',
    ],
  ])('%s', async (_name, user, fault) => {
    const told = await faultOf(connectBy(kubeconfigOf(user)));
    expect(told.endsWith(fault)).toBe(true);
  });
});

/** Hangs, and so does what it started, which holds its output open. */
const HANGING = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
  require('node:fs').writeFileSync(process.env.STARTED, [process.pid, child.pid].join(' '));
  setInterval(() => {}, 1000);
`;

/** Whoever takes over an orphan may be slow to bury it. */
const GONE = { timeout: 20_000, interval: 50 };

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function pidsIn(file: string): Promise<readonly number[]> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return text.split(' ').map(Number);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a credential plugin that hangs', () => {
  async function hanging(): Promise<readonly [string, string]> {
    const file = join(await temporaryFolder(), 'started');
    return [file, kubeconfigOf(plugin(HANGING, { env: [{ name: 'STARTED', value: file }] }))];
  }

  test('is ended at the deadline of a request, with what it started, and named', async () => {
    const [file, config] = await hanging();
    const told = await faultOf(connectBy(config, { timeoutMs: 1500 }));
    expect(told).toBe(
      `the plugin ${JSON.stringify(process.execPath)} of the kubeconfig's user "ann" gave no credentials within 1.5 s and was ended`,
    );
    const pids = await pidsIn(file);
    await expect.poll(() => pids.filter(isRunning), GONE).toEqual([]);
  });

  test('does not hold up a process that is told to end', async () => {
    const [file, config] = await hanging();
    const stopping = new AbortController();
    const folder = await temporaryFolder({ config });
    const opening = openCluster(
      { kubeconfig: join(folder, 'config'), namespaces: [], fallback: [], dryRun: false },
      { env: {}, clock: Date.now, stop: stopping.signal },
    );
    const pids = await pidsIn(file);
    const before = performance.now();
    stopping.abort();
    expect(await opening).toMatchObject({ ok: false, stopped: true });
    expect(performance.now() - before).toBeLessThan(2000);
    await expect.poll(() => pids.filter(isRunning), GONE).toEqual([]);
  });
});
