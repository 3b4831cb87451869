import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '#test/support/free-port.ts';
import { AUDIT_POLICY } from './audit-log.ts';
import type { Endpoint } from './request.ts';
import { request } from './request.ts';
import type { Start, StartedProcess } from './started-process.ts';
import { until } from './until.ts';

export interface KubeApiserverRequest {
  readonly start: Start;
  readonly folder: string;
  readonly program: string;
  readonly etcd: string;
  readonly adminToken: string;
  readonly extraFlags: readonly string[];
}

const PORT_ATTEMPTS = 5;
const START_TIMEOUT = 60_000;
/** Whoever else took the port may accept the connection and never say a word. */
const READY_TIMEOUT = 2_000;

async function writeFiles(folder: string, adminToken: string): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const secret = { mode: 0o600 };
  await Promise.all([
    writeFile(join(folder, 'tokens.csv'), `${adminToken},admin,admin,"system:masters"\n`, secret),
    writeFile(
      join(folder, 'service-account.key'),
      privateKey.export({ type: 'sec1', format: 'pem' }),
      secret,
    ),
    writeFile(join(folder, 'service-account.pub'), publicKey.export({ type: 'spki', format: 'pem' })),
    writeFile(join(folder, 'audit-policy.yaml'), AUDIT_POLICY),
  ]);
}

function flags({ folder, etcd, extraFlags }: KubeApiserverRequest, port: number): string[] {
  return [
    `--etcd-servers=${etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, 'certificates')}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-signing-key-file=${join(folder, 'service-account.key')}`,
    `--service-account-key-file=${join(folder, 'service-account.pub')}`,
    '--disable-admission-plugins=ServiceAccount',
    `--audit-log-path=${join(folder, 'audit.log')}`,
    // Megabytes: all of it in one file.
    '--audit-log-maxsize=100000',
    `--audit-policy-file=${join(folder, 'audit-policy.yaml')}`,
    '--profiling=false',
    ...extraFlags,
  ];
}

/** Ready means all its own start-up work, and the namespace `default`, which it makes a little later. */
async function isReady(endpoint: Endpoint): Promise<boolean> {
  const ready = await request(endpoint, 'GET', '/readyz', { timeout: READY_TIMEOUT });
  if (ready.status !== 200) return false;
  const namespace = await request(endpoint, 'GET', '/api/v1/namespaces/default');
  return namespace.status === 200;
}

/** @returns `portTaken` where somebody else took the port in the meantime */
function startOn(asked: KubeApiserverRequest, started: StartedProcess, port: number) {
  return until<Endpoint | 'portTaken'>(
    'kube-apiserver is ready',
    async () => {
      if (!started.isRunning()) {
        const log = await started.log();
        if (log.includes('address already in use')) return 'portTaken';
        throw new Error(`kube-apiserver ended:\n${log.slice(-4000)}`);
      }
      // It makes the pair itself. The file ends with the authority that signed it, so that it vouches for itself.
      const ca = await readFile(join(asked.folder, 'certificates', 'apiserver.crt'), 'utf8').catch(() => '');
      if (ca === '') return undefined;
      const endpoint = { url: `https://127.0.0.1:${port}`, ca, adminToken: asked.adminToken };
      return (await isReady(endpoint).catch(() => false)) ? endpoint : undefined;
    },
    START_TIMEOUT,
  );
}

export async function startKubeApiserver(asked: KubeApiserverRequest): Promise<Endpoint> {
  await writeFiles(asked.folder, asked.adminToken);
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
    const port = await freePort();
    const started = await asked.start(asked.program, flags(asked, port));
    const answer = await startOn(asked, started, port);
    if (answer !== 'portTaken') return answer;
  }
  throw new Error(`kube-apiserver found its port taken ${PORT_ATTEMPTS} times`);
}
