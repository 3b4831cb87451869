import { resolve } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { createAdmission } from '#admission/admission.ts';
import { ownRules } from '#admission/own-rules.ts';
import { isFresh } from '#test/gen/generated.ts';
import { OWN_RULES } from '#test/gen/own-rules.ts';
import { RULE_CASES } from '#test/policies/rule-cases.ts';
import { judgeAttempt, ownAdmission, TYPES } from './judge-attempt.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

describe('the rules that are a part of the program', () => {
  test('are those of policies/', async () => {
    expect(await isFresh(OWN_RULES)).toBe(true);
  });

  test('say what the files say', () => {
    const files = ownAdmission();
    const inside = createAdmission(ownRules(), { types: TYPES, objects: [] });
    for (const { accepted, refused } of RULE_CASES) {
      expect(judgeAttempt(inside, accepted)).toEqual(judgeAttempt(files, accepted));
      expect(judgeAttempt(inside, refused)).toEqual(judgeAttempt(files, refused));
    }
    expect(inside.tally.count()).toBeGreaterThan(50);
  });
});

/** What runs at the start of a file, whatever is asked for later. */
function startsWith(
  file: string,
  inputs: Readonly<Record<string, { imports: readonly { path: string; kind: string }[] }>>,
): ReadonlySet<string> {
  const seen = new Set<string>();
  const queue = [file];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const { path, kind } of inputs[next]?.imports ?? []) if (kind !== 'dynamic-import') queue.push(path);
  }
  return seen;
}

test('nothing of the evaluator is loaded by a verb that does not ask for it', async () => {
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
  const isEvaluator = (path: string): boolean => /cel-js|re2js|own-rules|^src\/admission\//.test(path);
  expect(Object.keys(metafile.inputs).filter(isEvaluator)).not.toEqual([]);
  expect([...startsWith('src/cli/verb/validate.ts', metafile.inputs)].some(isEvaluator)).toBe(true);
  for (const file of [
    'src/main.ts',
    ...['plan', 'reconcile', 'next', 'explain', 'get', 'run'].map((verb) => `src/cli/verb/${verb}.ts`),
  ]) {
    expect(Object.keys(metafile.inputs)).toContain(file);
    expect([...startsWith(file, metafile.inputs)].filter(isEvaluator)).toEqual([]);
  }
});
