import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '#test/gen/examples.ts';
import { SCHEMAS } from '#test/gen/schema.ts';
import { runMinutehand } from '#test/support/run-cli.ts';

const REFRESH = 'refresh it with "npm run gen" and look at what changed';
const WITH_OUTPUT = ['etcd-defrag', 'cron-job-dump', 'snapshot-nightly', 'snapshot-fan-out'];

describe('an expected output beside an example is what comes out, byte for byte', () => {
  test.each([...EXAMPLES, ...SCHEMAS].map((file) => [file.path, file] as const))(
    '%s',
    async (path, { make }) => {
      expect(await readFile(path, 'utf8'), REFRESH).toBe(await make());
    },
  );
});

describe('examples', () => {
  test('have every expected output made by somebody', async () => {
    const made = new Set(EXAMPLES.map(({ path }) => path));
    for (const example of WITH_OUTPUT) {
      const folder = join('examples', example, 'expected');
      for (const name of await readdir(folder)) expect(made).toContain(join(folder, name));
    }
  });

  test('are valid', async () => {
    for (const example of [...WITH_OUTPUT, 'demo/manifests']) {
      const { code, stdout } = await runMinutehand(['validate', '-f', join('examples', example)]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Checked [1-9]/) });
    }
  });

  test('give the dump of the document the name that it has there', async () => {
    const plan = JSON.parse(await readFile('examples/cron-job-dump/expected/plan-managed.json', 'utf8'));
    const names = plan.schedules[0].changes.map(({ object }: { object: { name: string } }) => object.name);
    expect(names[0]).toBe('pg-backup-29887230');
  });
});
