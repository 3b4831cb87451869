import { dirname, relative, resolve } from 'node:path';
import process from 'node:process';
import { build, type Metafile, type Plugin } from 'esbuild';

const START = 'src/program.ts';

/**
 * Our own sources in two parts: what ticks need, and all the rest. What the roots of the program import is of the program,
 * directly or not; what is imported by a call counts only where it is a root itself. There are no more than two, since
 * each module that is asked of another part takes a part of what is saved.
 */
const ROOTS: readonly string[] = [
  START,
  'src/cli/verb/plan.ts',
  'src/cli/verb/reconcile.ts',
  'src/store/directory/open-directory-store.ts',
  'src/store/directory/holder.ts',
  'src/store/cluster/open-cluster.ts',
];

export const SOURCE_PARTS = ['program', 'verbs'] as const;
export type SourcePart = (typeof SOURCE_PARTS)[number];

export interface SourceParts {
  readonly partOf: ReadonlyMap<string, SourcePart>;
  /** The modules of each part that modules of others import. */
  readonly shared: (part: SourcePart) => readonly string[];
}

type Inputs = Metafile['inputs'];

/** What these modules import, directly or not, and they themselves. */
function closureOf(roots: readonly string[], inputs: Inputs): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [...roots];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const input = inputs[path];
    if (input === undefined || found.has(path)) continue;
    found.add(path);
    for (const one of input.imports) if (one.kind !== 'dynamic-import') queue.push(one.path);
  }
  return found;
}

function assign(inputs: Inputs): Map<string, SourcePart> {
  const missing = ROOTS.filter((root) => inputs[root] === undefined);
  if (missing.length > 0) throw new Error(`these roots of the program are not there: ${missing.join(', ')}`);
  const program = closureOf(ROOTS, inputs);
  return new Map(Object.keys(inputs).map((path) => [path, program.has(path) ? 'program' : 'verbs']));
}

export async function findSourceParts(): Promise<SourceParts> {
  const { metafile } = await build({
    entryPoints: [START],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
  });
  const partOf = assign(metafile.inputs);
  const shared = new Map<SourcePart, Set<string>>(SOURCE_PARTS.map((part) => [part, new Set()]));
  for (const [path, { imports }] of Object.entries(metafile.inputs))
    for (const { path: imported } of imports) {
      const part = partOf.get(imported);
      if (part !== undefined && part !== partOf.get(path)) shared.get(part)?.add(imported);
    }
  return { partOf, shared: (part) => [...(shared.get(part) ?? [])].sort() };
}

/** What a part begins with: its modules that others import, each set up when it is asked for. */
export function sourcePartText(part: SourcePart, { shared }: SourceParts): string {
  const modules = shared(part).map((path) => `${JSON.stringify(path)}: () => require('./${path}'),`);
  const start = part === 'program' ? `export { runProgram } from './${START}';\n` : '';
  return `${start}export const sources = {\n${modules.join('\n')}\n};`;
}

/** Where an import of our own sources leads: they name files as they are. */
function moduleOf(path: string, importer: string): string {
  const file = path.startsWith('#') ? resolve('src', path.slice(1)) : resolve(dirname(importer), path);
  return relative(process.cwd(), file);
}

/** Within a part, modules of other parts are asked of these. */
export function sourceParts(within: SourcePart, { partOf }: SourceParts): Plugin {
  return {
    name: 'source-parts',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^[.#].*\.(?:ts|json)$/ }, ({ path, importer }) => {
        const module = moduleOf(path, importer);
        const part = partOf.get(module);
        return part === undefined || part === within ? undefined : { path: module, namespace: 'source' };
      });
      onLoad({ filter: /.*/, namespace: 'source' }, ({ path }) => {
        const part = JSON.stringify(partOf.get(path));
        return { contents: `module.exports = loadPart(${part}).sources[${JSON.stringify(path)}]()` };
      });
    },
  };
}
