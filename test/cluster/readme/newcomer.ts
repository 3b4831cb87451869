import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { type Binary, readAssets } from '#test/cluster/support/assets.ts';
import type { StartedProcess } from '#test/cluster/support/started-process.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
/** As much of a clone as the commands touch. */
const CLONED = [
  'Dockerfile',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'src',
  'policies',
  'examples',
];

/** Somebody at a shell, in a clone of the repository, with a kubeconfig at home. */
export interface Newcomer {
  /** The registry that both they and the cluster know. */
  readonly images: string;
  /** @returns what it printed; a command that fails ends it and is an error */
  run(commands: string): Promise<string>;
  /** One command that goes on in a terminal of its own, until the server is stopped if not before. */
  begin(command: string): Promise<StartedProcess>;
}

/** @param programs of the cache of the tests, beside kubectl */
export async function newcomerAt(server: ApiServer, programs: readonly Binary[] = []): Promise<Newcomer> {
  const folder = await mkdtemp(join(server.folder, 'newcomer-'));
  const clone = join(folder, 'clone');
  const home = join(folder, 'home');
  const tools = join(folder, 'tools');
  const images = join(folder, 'images');
  for (const made of [clone, join(home, '.kube'), tools, images]) await mkdir(made, { recursive: true });
  for (const name of CLONED) await cp(join(ROOT, name), join(clone, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  await cp(server.kubeconfig, join(home, '.kube', 'config'));
  for (const name of ['kubectl', ...programs] as const)
    await symlink(readAssets().path(name), join(tools, name));
  await cp(join(import.meta.dirname, 'docker.sh'), join(tools, 'docker'));
  await chmod(join(tools, 'docker'), 0o755);
  const env = {
    HOME: home,
    PATH: `${tools}:${process.env['PATH']}`,
    IMAGES: images,
    TMPDIR: folder,
    KUBECTL_KUBERC: 'false',
    // Nothing is fetched: what is missing is an error.
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_cache: join(home, '.npm'),
  };
  const run = async (commands: string) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: clone,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
    }
    const code = await new Promise((done, fail) => child.on('error', fail).on('close', done));
    if (code !== 0) throw new Error(`these ended with ${code}:\n${commands}\n${text}`);
    return text;
  };
  const begin = (command: string) => {
    const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    // In the place of the shell, so that whoever stops it stops the command.
    return server.start('env', ['-i', '-C', clone, ...settings, 'bash', '-c', `exec ${command}`]);
  };
  return { images, run, begin };
}
