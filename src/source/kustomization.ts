import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { PIPED_IN } from '#core/object/piped-in.ts';
import { isAbsence } from './files/file-fault.ts';
import { oneFile } from './files/list-files.ts';
import { defaultLimits } from './limits.ts';
import { absentFolder, collectManifests, type Manifests, noManifests } from './manifests.ts';
import { runProgram } from './run-program.ts';
import type { Fault } from './text/problem.ts';

export interface KustomizationRequest {
  /** A folder with a kustomization, as the user gave it. */
  readonly dir: string;
  /** What a relative folder starts from; the working directory of the process when absent. */
  readonly cwd?: string;
  /** Added to the environment of the process. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long a build may take; a minute unless told. */
  readonly timeoutMs?: number;
  /** A folder that is not there is no fault: another side of a comparison may have it. */
  readonly mayBeAbsent?: boolean;
}

/** Whoever builds a kustomization, in the order of trying. */
const BUILDERS: readonly (readonly [program: string, ...args: string[]])[] = [
  ['kustomize', 'build'],
  ['kubectl', 'kustomize'],
];

const TIMEOUT_MS = 60_000;
const MOST_SAID = 1000;

/**
 * Reads what a kustomization builds. Files are named by the command that prints the same text, since a line of it
 * stands in no file.
 */
export async function readKustomization(request: KustomizationRequest): Promise<Manifests> {
  const { dir, cwd, mayBeAbsent = false } = request;
  const path = cwd === undefined ? resolve(dir) : resolve(cwd, dir);
  const found = lookAt(path);
  if (found === 'absent' && mayBeAbsent && !isRemote(dir)) return absentFolder(dir);
  if (found !== 'folder') return refusedBuild(notAFolder(dir));
  for (const builder of BUILDERS) {
    const built = await build(builder, request);
    if (built === 'absent') continue;
    if ('fault' in built) return refusedBuild(built.fault);
    const shown = [...builder, dir].join(' ');
    return collectManifests(oneFile(shown, path), () => built);
  }
  return refusedBuild({
    code: 'BuildFailed',
    what: `${dir} cannot be built: neither kustomize nor kubectl is on the PATH`,
    fix: `install one of them, or pipe in what it builds: \`kustomize build FOLDER ${PIPED_IN}\``,
  });
}

function lookAt(path: string): 'folder' | 'absent' | 'other' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other';
  } catch (error) {
    return isAbsence(error) ? 'absent' : 'other';
  }
}

function isRemote(dir: string): boolean {
  return /^[\w+.-]+:\/\/|^git@/.test(dir);
}

function notAFolder(dir: string): Fault {
  const fix = isRemote(dir)
    ? 'only folders are built; clone it first'
    : 'name the folder that holds the kustomization; a relative one starts from the working directory';
  return { code: 'BuildFailed', what: `${dir} is not a folder`, fix };
}

type Built = 'absent' | { readonly bytes: Uint8Array } | { readonly fault: Fault };

async function build(
  [program, ...args]: readonly [string, ...string[]],
  request: KustomizationRequest,
): Promise<Built> {
  const { dir, cwd, env, timeoutMs = TIMEOUT_MS } = request;
  const end = await runProgram(program, [...args, dir.startsWith('-') ? `./${dir}` : dir], {
    cwd,
    env,
    timeoutMs,
    mostBytes: defaultLimits.fileBytes,
  });
  if (end.ok) return { bytes: end.stdout };
  if (end.reason === 'absent') return 'absent';
  const command = [program, ...args, dir].join(' ');
  if (end.reason === 'too-much') {
    const what = `\`${command}\` prints more than ${defaultLimits.fileBytes} bytes`;
    const why = 'what one input may cost is bounded, so that none holds a tick up';
    return { fault: { code: 'LimitExceeded', what, why, fix: 'build smaller kustomizations one by one' } };
  }
  const fix = `run \`${command}\` by itself`;
  if (end.reason === 'too-long') {
    const what = `\`${command}\` did not end within ${timeoutMs / 1000} seconds`;
    return { fault: { code: 'BuildFailed', what, fix } };
  }
  return { fault: { code: 'BuildFailed', what: `\`${command}\` failed: ${said(end.stderr)}`, fix } };
}

/** The last lines, on one. */
function said(stderr: Uint8Array): string {
  const lines = new TextDecoder().decode(stderr).split('\n');
  const text = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ');
  if (text === '') return 'it said nothing';
  return text.length > MOST_SAID ? `…${text.slice(-MOST_SAID)}` : text;
}

function refusedBuild(fault: Fault): Manifests {
  return noManifests({ ...fault, severity: 'error' });
}
