import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { preload } from './preload.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

/** Tells on the third channel which modules a process loaded. */
const HOOK = preload(`
  import { writeSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      writeSync(3, url + '\\n');
      return next(url, context);
    },
  });
`);

/** The URLs of all modules that a command line loads, from the sources. */
export async function loadedBy(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(process.execPath, [...HOOK, 'src/main.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  let urls = '';
  child.stdio[3]?.on('data', (part) => {
    urls += String(part);
  });
  await once(child, 'close');
  return urls;
}
