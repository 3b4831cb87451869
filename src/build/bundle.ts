import process from 'node:process';
import { parseArgs } from 'node:util';
import { build, type Plugin } from 'esbuild';

/* Makes the one file that runs without node_modules: node src/build/bundle.ts --outfile=FILE */

/** Loading them takes as long as starting Node, and only a cluster needs them. */
const HEAVY = /^(?:node:)?(child_process|dns|http|http2|https|net|tls)$/;

/**
 * In a bundle every `import` of a built-in module stands at the top and is carried out at the start, also for code that
 * is loaded later. What is asked for by a call is loaded where it is needed.
 */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: HEAVY }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'lazy-builtin' },
    );
    onLoad({ filter: /.*/, namespace: 'lazy-builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
      loader: 'js',
    }));
  },
};

const { values } = parseArgs({ options: { outfile: { type: 'string' } } });
const { outfile } = values;
if (outfile === undefined) throw new Error('--outfile is missing');

const { warnings } = await build({
  entryPoints: ['src/main.ts'],
  outfile,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  legalComments: 'none',
  alias: {
    luxon: './node_modules/luxon/build/es6/luxon.mjs',
    yaml: './node_modules/yaml/browser/dist/index.js',
  },
  // What is CommonJS asks for built-in modules by `require`, which a module has to make for itself.
  banner: { js: "import{createRequire as r}from'node:module';const require=r(import.meta.url);" },
  logLevel: 'warning',
  plugins: [lazyBuiltins],
});
process.exitCode = warnings.length > 0 ? 1 : 0;
