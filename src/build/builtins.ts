import { builtinModules } from 'node:module';
import process from 'node:process';
import type { Plugin } from 'esbuild';
import { exportsOf, lazyModule } from './lazy-module.ts';

const BUILTIN = new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`);
const OWN_SOURCE = /[\\/]src[\\/](?!.*node_modules)/;
/** Node has them loaded before it comes to us. */
const THERE = new Set(['buffer', 'events', 'fs', 'module', 'path', 'process', 'timers', 'url', 'vm']);

/** An old Node lacks the function, and is to be told that it is old. */
function asked(name: string): string {
  return name === 'process' ? 'process' : `process.getBuiltinModule?.('node:${name}')`;
}

function namesOf(name: string): readonly string[] {
  return exportsOf(process.getBuiltinModule(`node:${name}`) ?? {});
}

/** Of what is there each name is taken at once, and only if somebody imports it. */
function presentModule(name: string): string {
  const names = namesOf(name).map(
    (one) => `const own_${one} = /* @__PURE__ */ (() => all.${one})();\nexport { own_${one} as ${one} };`,
  );
  return `const all = ${asked(name)} ?? {};\n${names.join('\n')}\nexport { all as default };`;
}

function namespaceOf(name: string, importer: string): string {
  if (!OWN_SOURCE.test(importer)) return 'builtin';
  return THERE.has(name) ? 'present-builtin' : 'lazy-builtin';
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
      return { path: name, namespace: namespaceOf(name, importer) };
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = ${asked(path)}`,
    }));
    onLoad({ filter: /.*/, namespace: 'present-builtin' }, ({ path }) => ({
      contents: presentModule(path),
    }));
    onLoad({ filter: /.*/, namespace: 'lazy-builtin' }, ({ path }) => ({
      contents: lazyModule(asked(path), namesOf(path)),
    }));
  },
};
