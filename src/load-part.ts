import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, enableCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { underUsualFlags } from './young-generation.ts';

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
/** Length and checksum; the engine wants what follows at a multiple of eight. */
const HEADER = 8;
/** No link is followed, and a named pipe does not wait for a writer. */
const NO_WAIT = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Code is carried out as it comes: nobody else may have written it. */
function isOursAlone({ uid, mode }: Stats): boolean {
  return (uid === 0 || uid === process.getuid?.()) && (mode & 0o022) === 0;
}

/** Where compiled code is kept; undefined where that is switched off, or others could put something there. */
function cacheFolder(): string | undefined {
  enableCompileCache();
  const folder = getCompileCacheDir();
  const found = folder === undefined ? undefined : statSync(folder, { throwIfNoEntry: false });
  return found !== undefined && isOursAlone(found) ? folder : undefined;
}

/** The engine does not check what it takes, and one bit that is another would end every start. */
function headerOf(code: Buffer): Buffer {
  const header = Buffer.alloc(HEADER);
  header.writeUInt32LE(code.length, 0);
  header.writeUInt32LE(crc32(code), 4);
  return header;
}

function readOwn(path: string): Buffer | undefined {
  const file = openSync(path, NO_WAIT);
  try {
    const found = fstatSync(file);
    return found.isFile() && isOursAlone(found) ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

/** What was kept, if it is whole. */
function readKept(path: string): Buffer | undefined {
  let kept: Buffer | undefined;
  try {
    kept = readOwn(path);
  } catch {
    return undefined;
  }
  const code = kept?.subarray(HEADER);
  return code !== undefined && kept?.subarray(0, HEADER).equals(headerOf(code)) ? code : undefined;
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
    const code = underUsualFlags(() => script.createCachedData());
    writeFileSync(file, Buffer.concat([headerOf(code), code]));
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
  const options = cachedData === undefined ? { filename } : { filename, cachedData };
  const script = underUsualFlags(() => new Script(source, options));
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
