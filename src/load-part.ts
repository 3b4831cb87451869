import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, enableCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { Script } from 'node:vm';

/*
 * The parts of the built program: scripts in a folder beside its start. Node's own compile cache holds what is compiled
 * when a module begins, and each start compiles the functions that it calls anew; of these scripts they are kept, in
 * the folder of that cache. It is of one version of Node, one architecture and one user.
 */

type Part = (module: { exports: unknown }, load: (name: string) => unknown, require: NodeJS.Require) => void;

const FOLDER = join(import.meta.dirname, 'lib');
/** Each verb calls other functions; where its own are not kept, those of this one are most of them. */
const COMMON = 'plan';
/** The digest of a script stands before it: what was kept of another is never taken for its own. */
const DIGEST = /^\/\*([0-9a-f]{32})\*\//;
const WRONG_USAGE = 64;
/** Of so many bytes four are looked at. */
const SAMPLED = 512;

/** Where compiled code is kept; undefined where that is switched off, or anybody could put something there. */
function cacheFolder(): string | undefined {
  enableCompileCache();
  const folder = getCompileCacheDir();
  const found = folder === undefined ? undefined : statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const isOurs = found.uid === 0 || found.uid === process.getuid?.();
  return isOurs && (found.mode & 0o002) === 0 ? folder : undefined;
}

/** Of a page of the disk some bytes are in it: the engine takes code as it comes, and one page lost would end every start. */
function sampleOf(code: Buffer): number {
  let sum = code.length;
  for (let at = 0; at + 4 <= code.length; at += SAMPLED)
    sum = (Math.imul(sum, 31) + code.readInt32LE(at)) | 0;
  return sum;
}

/** What was kept, if it is whole. */
function readKept(path: string): Buffer | undefined {
  let kept: Buffer;
  try {
    kept = readFileSync(path);
  } catch {
    return undefined;
  }
  const code = kept.subarray(0, -4);
  return kept.length > 4 && kept.readInt32LE(code.length) === sampleOf(code) ? code : undefined;
}

/** As a whole or not at all; where nothing can be written, as on a read-only disk, only time is lost. */
function keep(script: Script, path: string): void {
  const temporary = `${path}.${process.pid}`;
  let file: number;
  try {
    file = openSync(temporary, 'wx', 0o600);
  } catch {
    return;
  }
  try {
    const code = script.createCachedData();
    const sample = Buffer.alloc(4);
    sample.writeInt32LE(sampleOf(code));
    writeFileSync(file, Buffer.concat([code, sample]));
    fsyncSync(file);
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  } finally {
    closeSync(file);
  }
}

/** Compiled with what earlier runs of the verb kept; what this one compiles is kept at its end if they kept nothing. */
function compile(name: string, verb: string, folder: string | undefined): Part {
  const filename = join(FOLDER, `${name}.cjs`);
  const source = readFileSync(filename, 'latin1');
  const digest = DIGEST.exec(source)?.[1];
  if (digest === undefined) throw new Error(`${filename} is no part of this program`);
  if (folder === undefined) return new Script(source, { filename }).runInThisContext();
  const pathOf = (one: string): string => join(folder, `minutehand-${digest}-${one}`);
  const own = readKept(pathOf(verb));
  const cachedData = own ?? readKept(pathOf(COMMON));
  const script = new Script(source, { filename, ...(cachedData === undefined ? {} : { cachedData }) });
  if (own === undefined || script.cachedDataRejected === true) {
    process.once('exit', (code) => {
      if (code !== WRONG_USAGE) keep(script, pathOf(verb));
    });
  }
  return script.runInThisContext();
}

/** What loads parts for one verb, each once and when it is asked for. */
export function partLoader(verb: string | undefined): (name: string) => unknown {
  const word = verb !== undefined && /^[a-z]+$/.test(verb) ? verb : COMMON;
  const folder = cacheFolder();
  const loaded = new Map<string, { exports: unknown }>();
  const load = (name: string): unknown => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    compile(name, word, folder)(module, load, createRequire(join(FOLDER, name)));
    return module.exports;
  };
  return load;
}
