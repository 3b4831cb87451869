import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';
import { exportsOf, lazyModule } from './lazy-module.ts';

const BUILTIN = new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`);
const OWN_SOURCE = /[\\/]src[\\/](?!.*node_modules)/;
/** Node has them loaded before it comes to us. */
const THERE = new Set(['buffer', 'events', 'fs', 'module', 'path', 'process', 'timers', 'url', 'vm']);

/** An old Node lacks the function, and is to be told that it is old. */
function asked(name: string): string {
  return name === 'process' ? 'process' : `process.getBuiltinModule('node:${name}')`;
}

/**
 * An `import` of a built-in module is carried out at the start, also for code that is called later or never, and some of
 * these modules take as long as the start of Node. What our own sources import is loaded when it is used for the first
 * time, what libraries import when they are.
 */
export const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: BUILTIN }, ({ path, importer }) => {
      const name = path.replace(/^node:/, '');
      const isLazy = OWN_SOURCE.test(importer) && !THERE.has(name);
      return { path: name, namespace: isLazy ? 'lazy-builtin' : 'builtin' };
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = ${asked(path)}`,
    }));
    onLoad({ filter: /.*/, namespace: 'lazy-builtin' }, async ({ path }) => {
      const names = exportsOf(await import(`node:${path}`));
      return { contents: lazyModule(asked(path), names) };
    });
  },
};
