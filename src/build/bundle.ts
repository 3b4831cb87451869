import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type BuildOptions, type BuildResult, build, type Plugin } from 'esbuild';
import { builtins } from './builtins.ts';
import { bundledPackages, readLockFile } from './bundled-packages.ts';
import { noticesOf } from './notices.ts';
import { ALIAS, PARTS, partSource, parts } from './parts.ts';
import { sbomOf } from './sbom.ts';
import { findSourceParts, SOURCE_PARTS, sourceParts, sourcePartText } from './source-parts.ts';

/*
 * Makes what runs without node_modules: node src/build/bundle.ts --outfile=FILE
 * FILE is the start of the process, as small as can be; beside it, in `lib/`, are the program and the libraries that
 * only some starts need, as scripts that `load-part.ts` reads; and what is in it of others, with their licences.
 */

const { values } = parseArgs({ options: { outfile: { type: 'string' } } });
const { outfile } = values;
if (outfile === undefined) throw new Error('--outfile is missing');
const lib = join(dirname(outfile), 'lib');

const COMMON = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node22',
  // The licences are in a file of their own.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  alias: ALIAS,
} satisfies BuildOptions;

/** The digest tells which compiled code is that of this very text. */
function writeScript(name: string, text: string): void {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  writeFileSync(join(lib, `${name}.cjs`), `/*${digest}*/(function(module,loadPart,require){${text}\n})`);
}

type Built = BuildResult<{ metafile: true }>;

async function buildScript(name: string, contents: string, plugins: readonly Plugin[]): Promise<Built> {
  const result = await build({
    ...COMMON,
    stdin: { contents, resolveDir: '.' },
    format: 'cjs',
    // Read as bytes, one for each character.
    charset: 'ascii',
    plugins: [builtins, ...plugins, parts(name)],
    metafile: true,
    write: false,
  });
  writeScript(name, result.outputFiles[0]?.text ?? '');
  return result;
}

function buildStart(file: string): Promise<Built> {
  return build({
    ...COMMON,
    entryPoints: ['src/main.ts'],
    outfile: file,
    format: 'esm',
    define: { IS_BUILT: 'true' },
    plugins: [builtins],
  });
}

rmSync(lib, { recursive: true, force: true });
mkdirSync(lib, { recursive: true });
const found = await findSourceParts();
const results = await Promise.all([
  buildStart(outfile),
  ...SOURCE_PARTS.map((part) => buildScript(part, sourcePartText(part, found), [sourceParts(part, found)])),
  ...Object.entries(PARTS).map(([name, modules]) => buildScript(name, partSource(modules), [])),
]);

const lock = readLockFile();
const bundled = bundledPackages(
  results.map(({ metafile }) => metafile),
  lock,
);
writeFileSync(join(dirname(outfile), 'sbom.cdx.json'), sbomOf(bundled, lock));
writeFileSync(join(dirname(outfile), 'THIRD-PARTY-NOTICES.txt'), noticesOf(bundled.packages));
process.exitCode = results.some(({ warnings }) => warnings.length > 0) ? 1 : 0;
