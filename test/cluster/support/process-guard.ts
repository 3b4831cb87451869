import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Reads one line at a time, the processes that live now; at the end of its input it kills them and removes the folder.
 * The end comes however the owner dies, by SIGKILL too, where no exit handler runs.
 */
const SCRIPT = `
pids=
while read -r line; do pids=$line; done
kill -9 $pids 2>/dev/null
rm -rf "$1" || { sleep 1; rm -rf "$1"; }
`;

export interface ProcessGuard {
  /** The child is killed when this process ends, unless it ended by itself before. */
  watch(child: ChildProcess): void;
  /** Everything has been stopped and cleared by its owner. */
  release(): void;
}

export function guardProcesses(folder: string): ProcessGuard {
  // In a session of its own: an interrupt from the terminal must not end the guard before it has done its work.
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'guard', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  const living = new Set<number>();
  const tell = () => guard.stdin.write(`${[...living].join(' ')}\n`);
  guard.stdin.on('error', () => {});
  return {
    watch: (child) => {
      const { pid } = child;
      if (pid === undefined) return;
      living.add(pid);
      tell();
      // A number may be used again by a stranger, so that it must not be killed later.
      child.once('exit', () => {
        living.delete(pid);
        tell();
      });
    },
    release: () => {
      guard.kill('SIGKILL');
    },
  };
}
