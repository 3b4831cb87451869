import { resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..');
/** What only the generator reads. */
const GENERATOR = /^src\/(?:kinds\/.*\/crd[^/]*|api\/custom-resource[^/]*)\.ts$/;

test('nothing of the definitions is loaded when a tick runs', async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/main.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContain('src/kinds/snapshot-schedule/schema.ts');
  expect(inputs.filter((input) => GENERATOR.test(input))).toEqual([]);
});
