import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { exportsOf, lazyModule } from './lazy-module.ts';

/**
 * Libraries, and data, that most starts do without: each is a part of its own, loaded when something of it is used for
 * the first time. Whatever else is imported becomes a part of the program.
 */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  'cel-js': ['@marcbachmann/cel-js', '@marcbachmann/cel-js/evaluator'],
  'client-node': ['@kubernetes/client-node/dist/config.js'],
  'cron-parser': ['cron-parser'],
  execa: ['execa'],
  liquidjs: ['liquidjs'],
  luxon: ['luxon'],
  re2js: ['re2js'],
  yaml: ['yaml'],
};

/** The form of a library that is the smallest when it is bundled. */
export const ALIAS: Readonly<Record<string, string>> = {
  luxon: './node_modules/luxon/build/es6/luxon.mjs',
  yaml: './node_modules/yaml/browser/dist/index.js',
};

const PART_OF = new Map(
  Object.entries(PARTS).flatMap(([part, modules]) => modules.map((path) => [path, part] as const)),
);

/** All that the modules of a part export. */
export function partSource(modules: readonly string[]): string {
  return modules.map((path) => `export * from ${JSON.stringify(path)};`).join('\n');
}

/** @param within the part that is built: what is its own it holds, what is another's it asks for */
export function parts(within: string): Plugin {
  return {
    name: 'parts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^.#]/ }, ({ path }) => {
        const part = PART_OF.get(path);
        return part === undefined || part === within ? undefined : { path, namespace: 'part' };
      });
      onLoad({ filter: /.*/, namespace: 'part' }, async ({ path }) => {
        const file = ALIAS[path];
        const names = exportsOf(await import(file === undefined ? path : resolve(file)));
        return { contents: lazyModule(`loadPart(${JSON.stringify(PART_OF.get(path))})`, names) };
      });
    },
  };
}
