import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Assets } from './assets.ts';
import { missingReason, readAssets } from './assets.ts';
import type { AuditEntry, AuditTail } from './audit-log.ts';
import { tailAuditLog } from './audit-log.ts';
import { startControllerManager } from './controller-manager.ts';
import { startEtcd } from './etcd.ts';
import { startKubeApiserver } from './kube-apiserver.ts';
import { kubeconfigText } from './kubeconfig.ts';
import type { KubectlResult } from './kubectl.ts';
import { runKubectl } from './kubectl.ts';
import { guardProcesses } from './process-guard.ts';
import type { Endpoint } from './request.ts';
import { request } from './request.ts';
import type { Start, StartedProcess } from './started-process.ts';
import { startProcess } from './started-process.ts';

export interface ApiServerOptions {
  /** Who sets `blockOwnerDeletion` needs the right to update the owner's finalizers. */
  readonly ownerReferencesPermissionEnforcement?: boolean;
  /** False: every read goes to etcd, so that what is compacted there is gone at once. */
  readonly watchCache?: boolean;
  /** Seconds that an event is kept, instead of an hour. */
  readonly eventLifetime?: number;
}

/** etcd and kube-apiserver on loopback, with everything that belongs to them in one temporary folder. */
export interface ApiServer extends Endpoint {
  readonly folder: string;
  /** The administrator's, as a file. */
  readonly kubeconfig: string;
  readonly processes: readonly StartedProcess[];
  kubectl(args: readonly string[], input?: string): Promise<KubectlResult>;
  /** One more program, in the folder of the server. It is stopped with the server, if not before. */
  readonly start: Start;
  /** With these controllers and no other, at work. It is stopped with the server, if not before. */
  controllerManager(controllers: readonly string[], flags?: readonly string[]): Promise<StartedProcess>;
  /** Every request answered so far, except the server's own and the question whether it is ready. */
  auditLog(): Promise<readonly AuditEntry[]>;
  /** The same, for whoever asks again and again. */
  auditTail(): AuditTail;
  /** For a ServiceAccount that is there. */
  tokenFor(namespace: string, serviceAccount: string): Promise<string>;
  kubeconfigFor(token: string): Promise<string>;
  /** Older revisions are gone, as they are after five minutes. */
  compact(): Promise<void>;
  stop(): Promise<void>;
}

const ADMISSION_PLUGIN = 'OwnerReferencesPermissionEnforcement';

function flagsOf({
  ownerReferencesPermissionEnforcement = false,
  watchCache = true,
  eventLifetime,
}: ApiServerOptions): readonly string[] {
  return [
    ...(ownerReferencesPermissionEnforcement ? [`--enable-admission-plugins=${ADMISSION_PLUGIN}`] : []),
    ...(watchCache ? [] : ['--watch-cache=false']),
    ...(eventLifetime === undefined ? [] : [`--event-ttl=${eventLifetime}s`]),
  ];
}

async function requestToken(server: Endpoint, namespace: string, serviceAccount: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`;
  const { status, body, text } = await request(server, 'POST', path, {
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
  });
  const token = (body.status as { readonly token?: string } | undefined)?.token;
  if (status !== 201 || token === undefined) throw new Error(`no token for ${serviceAccount}: ${text}`);
  return token;
}

async function startIn(folder: string, assets: Assets, options: ApiServerOptions): Promise<ApiServer> {
  const guard = guardProcesses(folder);
  const processes: StartedProcess[] = [];
  const start: Start = async (program, args) => {
    // With its number: the same program may be started again.
    const logName = `${processes.length + 1}-${basename(program)}`;
    const started = await startProcess(guard, folder, logName, program, args);
    processes.push(started);
    return started;
  };
  const stop = async () => {
    // The last one first: nobody then misses whom it depends on. Nothing is worth saving, so it is quick.
    for (const started of [...processes].reverse()) await started.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
    guard.release();
  };
  try {
    const etcd = await startEtcd(start, folder, assets.path('etcd'));
    const endpoint = await startKubeApiserver({
      start,
      folder,
      program: assets.path('kube-apiserver'),
      etcd: etcd.endpoint,
      adminToken: randomUUID(),
      extraFlags: flagsOf(options),
    });
    let written = 0;
    const kubeconfigFor = async (token: string) => {
      const file = join(folder, `kubeconfig-${written++}.yaml`);
      await writeFile(file, kubeconfigText(endpoint, token), { mode: 0o600 });
      return file;
    };
    const kubeconfig = await kubeconfigFor(endpoint.adminToken);
    const auditTail = () => tailAuditLog(endpoint, join(folder, 'audit.log'));
    return {
      ...endpoint,
      folder,
      kubeconfig,
      processes,
      start,
      kubectl: (args, input) => runKubectl(assets.path('kubectl'), kubeconfig, folder, args, input),
      controllerManager: (controllers, flags) =>
        startControllerManager(start, assets, { kubeconfig, controllers, flags }),
      auditLog: () => auditTail().next(),
      auditTail,
      tokenFor: (namespace, serviceAccount) => requestToken(endpoint, namespace, serviceAccount),
      kubeconfigFor,
      compact: () => etcd.compact(),
      stop,
    };
  } catch (error) {
    // What was started before the step that failed.
    await stop();
    throw error;
  }
}

export async function startApiServer(
  options: ApiServerOptions = {},
  assets: Assets = readAssets(),
): Promise<ApiServer> {
  const reason = missingReason(assets);
  if (reason !== undefined) throw new Error(`${reason}: run npm run cluster:setup`);
  const folder = await mkdtemp(join(tmpdir(), 'minutehand-cluster-'));
  return startIn(folder, assets, options);
}
