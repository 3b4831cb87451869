import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** One row per line of the dependency table in CONTRIBUTING.md: what is refused there, and what is not. */
interface Row {
  readonly file: string;
  readonly refused: readonly string[];
  readonly allowed: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    file: 'src/core/planted.ts',
    refused: [
      'zod',
      'luxon',
      'node:fs',
      '#kinds/index.ts',
      '#store/port.ts',
      '#render/json.ts',
      '#cli/run.ts',
      '../api/issue.ts',
    ],
    allowed: ['#core/kind.ts', './kind.ts'],
  },
  {
    file: 'src/core/time/zone.ts',
    refused: ['rfc6902', 'node:fs'],
    allowed: ['luxon', '#core/time/instant.ts'],
  },
  { file: 'src/core/change/diff.ts', refused: ['luxon', 'zod'], allowed: ['rfc6902'] },
  {
    file: 'src/api/planted.ts',
    refused: ['#kinds/index.ts', 'yaml', 'node:fs'],
    allowed: ['zod/mini', '#core/kind.ts'],
  },
  {
    file: 'src/admission/planted.ts',
    refused: ['#kinds/index.ts', '#drivers/index.ts', '#store/port.ts', 'zod/mini', 'yaml', 'node:fs'],
    allowed: [
      '@marcbachmann/cel-js',
      '@marcbachmann/cel-js/evaluator',
      're2js',
      '#core/kind.ts',
      '#api/issue.ts',
      '#admission/schema.ts',
    ],
  },
  {
    file: 'src/kinds/cron-job/planted.ts',
    refused: [
      '#kinds/etcd-defrag-policy/index.ts',
      '#store/port.ts',
      'luxon',
      'node:fs',
      '../etcd-defrag-policy/index.ts',
    ],
    allowed: ['zod/mini', '#api/issue.ts', './schema.ts'],
  },
  {
    file: 'src/drivers/job/planted.ts',
    refused: ['#kinds/index.ts', '#store/port.ts', 'liquidjs', 'luxon', 'node:fs'],
    allowed: ['zod/mini', '#api/issue.ts', './index.ts'],
  },
  { file: 'src/drivers/job/template.ts', refused: ['zod/mini', 'node:fs'], allowed: ['liquidjs'] },
  {
    file: 'src/source/planted.ts',
    refused: ['#kinds/index.ts', '#store/port.ts', 'zod', 'luxon'],
    allowed: ['yaml', 'execa', 'node:fs/promises', 'cron-parser'],
  },
  {
    file: 'src/push/planted.ts',
    refused: ['#cli/io.ts', '#render/json.ts', '#store/port.ts', 'zod/mini', 'yaml'],
    allowed: ['node:https', '#core/push.ts'],
  },
  { file: 'src/store/port.ts', refused: ['node:fs', 'yaml', '#kinds/index.ts'], allowed: ['#core/kind.ts'] },
  {
    file: 'src/store/directory/planted.ts',
    refused: ['#kinds/index.ts', '#store/cluster/open-cluster-store.ts', 'yaml', '#source/manifests.ts'],
    allowed: ['node:fs/promises', '#store/port.ts', '#core/kind.ts'],
  },
  {
    file: 'src/store/cluster/planted.ts',
    refused: [
      '#kinds/index.ts',
      '#store/directory/open-directory-store.ts',
      'yaml',
      '#source/manifests.ts',
      '@kubernetes/client-node',
      'zod/mini',
    ],
    allowed: ['node:https', '#store/port.ts', '#core/kind.ts'],
  },
  {
    file: 'src/store/cluster/kubeconfig.ts',
    refused: ['#kinds/index.ts', '#store/directory/open-directory-store.ts', 'yaml'],
    allowed: ['@kubernetes/client-node/dist/config.js', 'node:fs', './connection.ts'],
  },
  {
    file: 'src/build/planted.ts',
    refused: ['#core/kind.ts', '#cli/run.ts', 'zod'],
    allowed: ['esbuild', 'node:process'],
  },
  {
    file: 'src/store/cluster/kubeconfig-yaml.ts',
    refused: ['@kubernetes/client-node', 'zod/mini', '#source/manifests.ts'],
    allowed: ['yaml', './connection.ts'],
  },
  {
    file: 'src/store/cluster/kubeconfig-schema.ts',
    refused: ['@kubernetes/client-node', 'yaml', '#api/issue.ts'],
    allowed: ['zod/mini', './connection.ts'],
  },
  {
    file: 'src/render/planted.ts',
    refused: ['node:fs', '#store/port.ts', '#kinds/index.ts', 'zod', 'luxon'],
    allowed: ['yaml', '#core/kind.ts'],
  },
  {
    file: 'src/cli/planted.ts',
    refused: ['#store/directory/open-directory-store.ts', 'node:fs', '#kinds/cron-job/index.ts', 'yaml'],
    allowed: [
      '@stricli/core',
      '#kinds/index.ts',
      '#drivers/index.ts',
      '#store/port.ts',
      '#source/manifests.ts',
      '#admission/admission.ts',
      '#render/json.ts',
    ],
  },
];

const ROOT = new URL('..', import.meta.url).pathname;

const IMPURE = [
  'Date.now()',
  'Math.random()',
  'setTimeout(String, 1)',
  'process.pid',
  'performance.now()',
  'new Intl.Collator()',
];
const PURE_FOLDERS = ['src/core', 'src/kinds/cron-job', 'src/render', 'src/api'];

interface Planted {
  readonly file: string;
  readonly source: string;
}

/** `file:line` of every refusal, from one run of the linter over a tree that holds nothing but the planted files. */
function lint(planted: readonly Planted[]): ReadonlySet<string> {
  const tree = mkdtempSync(join(tmpdir(), 'boundaries-'));
  const config = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
  writeFileSync(
    join(tree, 'biome.json'),
    JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } }),
  );
  mkdirSync(join(tree, 'test/support'), { recursive: true });
  copyFileSync(join(ROOT, 'test/support/no-random.grit'), join(tree, 'test/support/no-random.grit'));
  for (const { file, source } of planted) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), source);
  }
  const args = ['lint', '--reporter=github', '--max-diagnostics=none', 'src'];
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/biome'), args, { cwd: tree, encoding: 'utf8' });
  rmSync(tree, { recursive: true });
  const refusal =
    /title=(?:lint\/style\/noRestricted(?:Imports|Globals)|plugin),file=[^,]*?(src\/[^,]+),line=(\d+)/g;
  return new Set([...stdout.matchAll(refusal)].map((match) => `${match[1]}:${match[2]}`));
}

describe('the dependency table is enforced by the linter', () => {
  const planted = ROWS.map(({ file, refused, allowed }) => ({
    file,
    source: [...refused, ...allowed]
      .map((module, index) => `import * as x${index} from '${module}';\n`)
      .join(''),
  }));
  const found = lint(planted);

  it.each(ROWS)('$file may import what its row names and nothing else', ({ file, refused, allowed }) => {
    expect([...refused, ...allowed].filter((_, index) => found.has(`${file}:${index + 1}`))).toEqual(refused);
  });
});

describe('what must be pure has no clock, randomness, timer or process', () => {
  const planted = PURE_FOLDERS.map((folder) => ({
    file: `${folder}/impure.ts`,
    source: IMPURE.map((expression, index) => `export const x${index} = ${expression};\n`).join(''),
  }));
  const found = lint(planted);

  it.each(PURE_FOLDERS)('%s', (folder) => {
    expect(IMPURE.filter((_, index) => !found.has(`${folder}/impure.ts:${index + 1}`))).toEqual([]);
  });
});
