import { builtinModules } from 'node:module';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { build, type Plugin } from 'esbuild';

/* Makes the one file that runs without node_modules: node src/build/bundle.ts --outfile=FILE */

/** What the start of the process itself needs; Node has most of it loaded by then. */
const AT_ONCE = ['fs', 'module', 'path', 'process'];
/** All others: loading some takes as long as starting Node, and only few verbs need them. */
const LATER = new RegExp(
  `^(?:node:)?(?:${builtinModules.filter((name) => !AT_ONCE.includes(name)).join('|')})$`,
);

/**
 * In a bundle every `import` of a built-in module stands at the top and is carried out at the start, also for code that
 * is loaded later. What is asked for by a call is loaded where it is needed.
 */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: LATER }, ({ path, kind }) =>
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
