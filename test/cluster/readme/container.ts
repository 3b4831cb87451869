import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { configMapData, type Pod } from './pods.ts';

export interface Container {
  readonly child: ChildProcess;
  /** All that it has said so far. */
  log(): string;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number>;
}

/** The folders of a pod, by where its container sees them. */
async function mount(server: ApiServer, { metadata, spec }: Pod): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>();
  for (const { name, mountPath } of spec.containers[0].volumeMounts) {
    const volume = spec.volumes.find((one) => one.name === name);
    if (volume === undefined) throw new Error(`the pod ${metadata.name} has no volume ${name}`);
    const folder = join(server.folder, 'pods', metadata.uid, name);
    await mkdir(folder, { recursive: true });
    const data = await configMapData(server, metadata.namespace, volume.configMap.name);
    for (const [file, text] of Object.entries(data)) await writeFile(join(folder, file), text);
    folders.set(mountPath, folder);
  }
  return folders;
}

/**
 * Carries the container of a pod out as a process: the bundle of its image with its arguments, the files of its
 * ConfigMaps, and a token of its ServiceAccount. The token comes in a kubeconfig, since the folder where a pod finds it
 * is not ours to write.
 * @param images where `docker push` puts them
 */
export async function startContainer(server: ApiServer, pod: Pod, images: string): Promise<Container> {
  const { metadata, spec } = pod;
  const [{ image, args }] = spec.containers;
  const folders = await mount(server, pod);
  const here = args.map((arg) => {
    const [path, folder] = [...folders].find(([mounted]) => arg.startsWith(`${mounted}/`)) ?? ['', ''];
    return folder + arg.slice(path.length);
  });
  const token = await server.tokenFor(metadata.namespace, spec.serviceAccountName);
  const kubeconfig = await server.kubeconfigFor(token);
  const bundle = join(images, 'pushed', image, 'minutehand.mjs');
  const child = spawn(process.execPath, [bundle, ...here], {
    cwd: server.folder,
    // The kubelet tells every pod where the API server is; a kubeconfig wins over it.
    env: { KUBECONFIG: kubeconfig, KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  }
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : 137));
  return { child, log: () => text, ended };
}
