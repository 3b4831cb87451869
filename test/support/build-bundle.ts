import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..');
const TARGET = 'dist/minutehand.mjs';

/** The very command of the build, to another place. */
export function buildBundle(folder: string): string {
  const bundle = join(folder, 'minutehand.mjs');
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  if (!scripts.build.includes(TARGET)) throw new Error(`the build does not make ${TARGET}`);
  const command = scripts.build.replace(TARGET, bundle);
  const path = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}`;
  const built = spawnSync('/bin/sh', ['-c', command], { cwd: ROOT, env: { ...process.env, PATH: path } });
  const said = String(built.stderr);
  if (built.status !== 0 || said !== '') throw new Error(`the build ended with ${built.status}:\n${said}`);
  return bundle;
}
