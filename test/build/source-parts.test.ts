import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtins } from '#build/builtins.ts';
import { ALIAS, parts } from '#build/parts.ts';
import {
  findSourceParts,
  SOURCE_PARTS,
  type SourcePart,
  type SourceParts,
  sourceParts,
  sourcePartText,
} from '#build/source-parts.ts';

let found: SourceParts;

/** The packages whose code a part of the sources holds. */
async function packagesIn(part: SourcePart): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents: sourcePartText(part, found), resolveDir: '.' },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    alias: ALIAS,
    plugins: [builtins, sourceParts(part, found), parts(part)],
  });
  const names = Object.keys(metafile.inputs).flatMap(
    (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

function modulesOf(part: SourcePart): readonly string[] {
  return [...found.partOf].flatMap(([path, one]) => (one === part ? [path] : []));
}

beforeAll(async () => {
  found = await findSourceParts();
}, 60_000);

describe('the sources in parts', () => {
  test('what every tick loads holds no library but the three that it cannot do without', async () => {
    expect(await packagesIn('program')).toEqual(['@stricli/core', 'rfc6902', 'zod']);
  });

  test('what few verbs need is no part of it', () => {
    const program = modulesOf('program');
    expect(program).toContain('src/cli/verb/reconcile.ts');
    const few =
      /^src\/(?:admission|cli\/comparison(?!\/guards)|source\/git)\/|timeline-|verb\/simulate|markdown|sarif|junit/;
    expect(program.filter((path) => few.test(path))).toEqual([]);
    expect(modulesOf('verbs').filter((path) => few.test(path)).length).toBeGreaterThan(50);
  });

  test('what reads kubeconfigs is no part of a tick in a pod', () => {
    const program = modulesOf('program');
    expect(program).toContain('src/store/cluster/in-cluster.ts');
    expect(program.filter((path) => /kubeconfig(?!-files)|exec-credential/.test(path))).toEqual([]);
  });

  test('every module is of one part', () => {
    expect(SOURCE_PARTS.flatMap(modulesOf).length).toBe(found.partOf.size);
  });
});
