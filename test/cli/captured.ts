import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type CliResult, type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, job, list, policy } from './manifests.ts';

export const NOW = '2026-06-10T03:00:30Z';
const LABELS = { metadata: { labels: { tier: 'gold' } } };
export const FILES = {
  'in/a.json': list(
    cronJob('early', { spec: { schedule: '30 2 * * *', timeZone: 'Europe/Berlin' } }),
    cronJob('broken', { spec: { schedule: 'every day' } }),
    policy('night', LABELS),
    policy('later', { metadata: { namespace: 'quay', uid: 'uid-2' }, spec: { schedule: '0 4 * * *' } }),
    job('early-1', 'early', {}),
  ),
};
export const SOURCE = ['-f', 'in', '--now', NOW];

export interface Made {
  readonly cwd: string;
  readonly text: string;
  readonly run: (...argv: readonly string[]) => Promise<CliResult>;
}

/** A capture of the manifests, in the file `capture.yaml` of a folder of its own. */
export async function made(...flags: readonly string[]): Promise<Made> {
  const cwd = await temporaryFolder(FILES);
  const { code, stdout } = await runMinutehand(['capture', ...SOURCE, ...flags], { cwd });
  expect(code).toBe(0);
  await writeFile(join(cwd, 'capture.yaml'), stdout);
  return { cwd, text: stdout, run: (...argv) => runMinutehand(argv, { cwd }) };
}

/** A plan of a capture that somebody has edited. */
export async function planOf(text: string, world: CliWorld = {}): Promise<CliResult> {
  const cwd = await temporaryFolder({ 'capture.yaml': text });
  return runMinutehand(['plan', '--from', 'capture.yaml'], { cwd, ...world });
}

export function edited(text: string, from: string | RegExp, to: string): string {
  const result = text.replace(from, to);
  expect(result).not.toBe(text);
  return result;
}
