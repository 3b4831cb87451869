import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { fromJSONSchema, type ZodType } from 'zod';
import { changeNames, loadChange, runChange } from './change-case.ts';

const NAMES = changeNames();

/** Read back from the published file, so that it is the file which is tested and not what made it. */
let published: ZodType;

beforeAll(async () => {
  published = fromJSONSchema(JSON.parse(await readFile('examples/comparison.schema.json', 'utf8')));
});

describe('golden changes', () => {
  test('are at least forty', () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(40);
  });

  test.each(NAMES)('%s', async (name) => {
    const change = loadChange(name);
    const { code, stdout, stderr } = await runChange(change);
    expect(stdout, change.about).toBe(change.want);
    expect(stderr, change.about).toBe(change.stderr ?? '');
    expect(code, change.about).toBe(change.code);
  });

  test.each(NAMES)('%s, as data', async (name) => {
    const change = loadChange(name);
    const { code, stdout } = await runChange({ ...change, args: [...(change.args ?? []), '-o', 'json'] });
    const read = published.safeParse(JSON.parse(stdout));
    expect(read.success ? [] : read.error.issues).toEqual([]);
    expect(code).toBe(change.code);
  });

  test.each(NAMES)('%s, turned round, has as many firings', async (name) => {
    const { base, head, ...change } = loadChange(name);
    const json = { ...change, args: [...(change.args ?? []), '-o', 'json'] };
    const there = JSON.parse((await runChange({ ...json, base, head })).stdout);
    const back = JSON.parse((await runChange({ ...json, base: head, head: base })).stdout);
    expect(back.totals.firingsBefore).toBe(there.totals.firingsAfter);
    expect(back.totals.firingsAfter).toBe(there.totals.firingsBefore);
    expect(back.totals.added).toBe(there.totals.removed);
    for (const { firings } of there.schedules) {
      expect(firings.before - firings.removed.length + firings.added.length).toBe(firings.after);
    }
  });
});
