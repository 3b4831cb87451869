import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startApiServer } from './support/api-server.ts';
import { kubernetesVersion, readAssets } from './support/assets.ts';
import { startEtcd } from './support/etcd.ts';
import { startKubeApiserver } from './support/kube-apiserver.ts';
import { guardProcesses } from './support/process-guard.ts';
import { request } from './support/request.ts';
import type { Start, StartedProcess } from './support/started-process.ts';
import { startProcess } from './support/started-process.ts';
import { until } from './support/until.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function createConfigMap(server: Parameters<typeof request>[0], name: string): Promise<void> {
  const made = await request(server, 'POST', CONFIG_MAPS, { body: { metadata: { name } } });
  expect(made.status, made.text).toBe(201);
}

describeOnServer('the API server of the tests', () => {
  test('is of the release that the set-up builds', async () => {
    const server = await sharedServer();
    const { body } = await request(server, 'GET', '/version');
    const isGiven = readAssets().given;
    expect(body['gitVersion']).toEqual(isGiven ? expect.stringMatching(/^v1\./) : `v${kubernetesVersion()}`);
  });

  test('answers kubectl through its kubeconfig', async () => {
    const server = await sharedServer();
    const namespaces = await server.kubectl(['get', 'ns', '-o', 'name']);
    expect(namespaces).toMatchObject({ code: 0, stderr: '' });
    expect(namespaces.stdout.split('\n')).toContain('namespace/default');
  });

  test('gives kubectl its input', async () => {
    const server = await sharedServer();
    const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-input}\n';
    const applied = await server.kubectl(['apply', '--server-side', '-f', '-'], manifest);
    expect(applied).toEqual({ code: 0, stdout: 'configmap/from-input serverside-applied\n', stderr: '' });
  });

  test('is not believed by a client that knows another authority', async () => {
    const server = await sharedServer();
    await expect(request({ ...server, ca: '' }, 'GET', '/version')).rejects.toThrow(/certificate/);
  });

  test('gives a ServiceAccount a token with its own rights and no more', async () => {
    const server = await sharedServer();
    await server.kubectl(['create', 'serviceaccount', 'reader']);
    await server.kubectl(['create', 'role', 'reader', '--verb=list', '--resource=configmaps']);
    await server.kubectl(['create', 'rolebinding', 'r', '--role=reader', '--serviceaccount=default:reader']);
    const token = await server.tokenFor('default', 'reader');
    await until('the right is there', async () => {
      const { status } = await request(server, 'GET', CONFIG_MAPS, { token });
      return status === 200 ? true : undefined;
    });
    expect((await request(server, 'GET', '/api/v1/namespaces/default/secrets', { token })).status).toBe(403);
    const kubeconfig = await server.kubeconfigFor(token);
    const whoami = await server.kubectl(['auth', 'whoami', '--kubeconfig', kubeconfig, '-o', 'json']);
    expect(whoami.stdout).toContain('system:serviceaccount:default:reader');
  });

  test('writes down every request with its user, and none of its own', async () => {
    const server = await sharedServer();
    const before = await server.auditLog();
    const headers = { 'user-agent': 'audited' };
    await request(server, 'POST', CONFIG_MAPS, { body: { metadata: { name: 'audited' } }, headers });
    await request(server, 'GET', `${CONFIG_MAPS}/nowhere`, { headers });
    const after = await server.auditLog();
    expect(after.slice(before.length)).toEqual([
      expect.objectContaining({
        verb: 'create',
        stage: 'ResponseComplete',
        user: expect.objectContaining({ username: 'admin' }),
        userAgent: 'audited',
        objectRef: expect.objectContaining({ resource: 'configmaps', namespace: 'default', name: 'audited' }),
        responseStatus: expect.objectContaining({ code: 201 }),
      }),
      expect.objectContaining({ verb: 'get', responseStatus: expect.objectContaining({ code: 404 }) }),
    ]);
    expect(after.filter(({ user }) => user.username === 'system:apiserver')).toEqual([]);
  });

  test('stands beside a second one, whose end leaves no process, no folder and the first alone', async () => {
    const first = await sharedServer();
    const second = await startApiServer();
    onTestFinished(() => second.stop());
    await createConfigMap(first, 'of-the-first');
    await createConfigMap(second, 'of-the-second');
    expect((await request(first, 'GET', `${CONFIG_MAPS}/of-the-second`)).status).toBe(404);
    expect((await request(second, 'GET', `${CONFIG_MAPS}/of-the-first`)).status).toBe(404);
    expect((await request(second, 'GET', CONFIG_MAPS, { token: first.adminToken })).status).toBe(401);

    const pids = second.processes.map(({ pid }) => pid);
    expect(pids.map(isAlive)).toEqual([true, true]);
    await second.stop();
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(existsSync(second.folder)).toBe(false);
    expect((await request(first, 'GET', `${CONFIG_MAPS}/of-the-first`)).status).toBe(200);
  });

  test('ends with the process that started it, however that dies', async () => {
    const program = fileURLToPath(new URL('./support/server-child.ts', import.meta.url));
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { pids, folder } = JSON.parse(line) as {
      readonly pids: readonly number[];
      readonly folder: string;
    };
    expect(pids.map(isAlive)).toEqual([true, true]);
    child.kill('SIGKILL');
    await until('no process and no folder is left', () =>
      pids.some(isAlive) || existsSync(folder) ? undefined : true,
    );
  });
});

describeOnServer('a port that somebody takes in the meantime', () => {
  test('is left to him for another one', async () => {
    const folder = await temporaryFolder();
    const guard = guardProcesses(folder);
    const running: StartedProcess[] = [];
    onTestFinished(async () => {
      for (const started of running) await started.stop('SIGKILL');
      guard.release();
    });
    const ports: number[] = [];
    const squatter = createServer();
    onTestFinished(() => {
      squatter.close();
    });
    const start: Start = async (program, args) => {
      const port = Number(/--secure-port=(\d+)/.exec(args.join(' '))?.[1]);
      if (port > 0) ports.push(port);
      if (ports.length === 1) await once(squatter.listen(port, '127.0.0.1'), 'listening');
      const started = await startProcess(guard, folder, `${running.length}`, program, args);
      running.push(started);
      return started;
    };
    const assets = readAssets();
    const etcd = await startEtcd(start, folder, assets.path('etcd'));
    const endpoint = await startKubeApiserver({
      start,
      folder,
      program: assets.path('kube-apiserver'),
      etcd: etcd.endpoint,
      adminToken: 'admin',
      extraFlags: [],
    });
    expect(ports).toHaveLength(2);
    expect(endpoint.url).toBe(`https://127.0.0.1:${ports[1]}`);
    expect((await request(endpoint, 'GET', '/version')).status).toBe(200);
  });
});

describeOnServer(
  'the controller manager of the tests',
  () => {
    test('runs the controllers that were asked for and no other', async () => {
      const server = await sharedServer();
      const manager = await server.controllerManager(['job-controller']);
      const manifest = `
apiVersion: batch/v1
kind: Job
metadata: {name: run}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}
`;
      const applied = await server.kubectl(['apply', '-f', '-'], manifest);
      expect(applied.stderr).toBe('');
      await until('the Job has a pod', async () => {
        const path = '/api/v1/namespaces/default/pods?labelSelector=job-name%3Drun';
        const { body } = await request(server, 'GET', path);
        return body.items?.length === 1 ? true : undefined;
      });
      const disabled = (await manager.log()).matchAll(/controller is disabled" controller="([^"]+)"/g);
      const names = Array.from(disabled, ([, name]) => name);
      expect(names).toContain('cronjob-controller');
      expect(names).not.toContain('job-controller');
      await manager.stop();
      expect(isAlive(manager.pid)).toBe(false);
    });

    test('says what it said where it does not know a controller', async () => {
      const server = await sharedServer();
      const started = server.controllerManager(['clockwork-controller']);
      await expect(started).rejects.toThrow(/clockwork-controller.* is not in the list of known controllers/);
    });
  },
  { also: ['kube-controller-manager'] },
);
