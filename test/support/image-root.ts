import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { all, copies, type Stage, single } from './dockerfile.ts';

/** What came of one process in an image. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Only root may change what a process takes for the root of all files. */
export const CAN_SIMULATE =
  process.getuid?.() === 0 && process.platform === 'linux' && spawnSync('chroot', ['/', 'true']).status === 0;

function sharedObjects(program: string): readonly string[] {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return [...stdout.matchAll(/(?:=> |^\s+)(\/\S+)/gm)].map(([, path = '']) => path);
}

/** What the base image holds: Node with its libraries, a home and a folder for what is temporary; no shell. */
function layBase(root: string, user: string): void {
  const node = join(root, 'nodejs/bin/node');
  mkdirSync(dirname(node), { recursive: true });
  cpSync(realpathSync(process.execPath), node);
  for (const path of sharedObjects(node)) cpSync(realpathSync(path), join(root, path), { recursive: true });
  for (const folder of ['tmp', 'home/nonroot']) mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  giveTo(user, join(root, 'home/nonroot'));
}

function giveTo(user: string, path: string): void {
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  chownSync(path, uid, gid);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) giveTo(user, join(path, name));
}

/** Runs a program with nothing around it but the files of the image and what it sets in the environment. */
export function runInside(root: string, stage: Stage, argv: readonly string[]): Ended {
  const env = Object.fromEntries(all(stage, 'ENV').map((words) => words.split('=', 2)));
  const user = all(stage, 'USER').at(-1) ?? '0:0';
  const { status, stdout, stderr } = spawnSync('chroot', [`--userspec=${user}`, root, ...argv], {
    env: { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/home/nonroot', ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/**
 * Carries out a stage as a builder would, on a folder.
 * @param earlier where the stages before it lie, by name
 */
export function makeStage(root: string, stage: Stage, earlier: ReadonlyMap<string, string>): void {
  const user = all(stage, 'USER').at(-1) ?? '0:0';
  layBase(root, user);
  const folder = single(stage, 'WORKDIR');
  for (const { from, owner, sources, target } of copies(stage)) {
    for (const source of sources) {
      const origin = from === undefined ? source : join(earlier.get(from) ?? '', source);
      const isFolder = statSync(origin).isDirectory();
      const into = posix.resolve(folder, target);
      const place = join(
        root,
        target.endsWith('/') && !isFolder ? posix.join(into, posix.basename(source)) : into,
      );
      mkdirSync(dirname(place), { recursive: true });
      cpSync(origin, place, { recursive: true });
      if (owner !== undefined) giveTo(owner, place);
    }
  }
  for (const words of all(stage, 'RUN')) {
    const { status, stderr } = runInside(root, stage, JSON.parse(words));
    if (status !== 0) throw new Error(`${words} ended with ${status}: ${stderr}`);
  }
}

/** Nobody may write anything, as with `readOnlyRootFilesystem`. */
export function makeReadOnly(path: string): void {
  const mode = statSync(path).mode;
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) makeReadOnly(join(path, name));
  chmodSync(path, mode & ~0o222);
}
