import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG } from '#test/support/test-length.ts';
import { ALL_TROUBLES, type Cell, cellsOf, playedText } from './fault-matrix/cells.ts';
import { playCell, playExpiring, type Undisturbed, undisturbed } from './fault-matrix/matrix.ts';
import { allScenes } from './fault-matrix/scene.ts';
import { openStage, type Stage } from './fault-matrix/stage.ts';

/** One cell of so many is played in a short run; prime to the number of troubles, so that none is left out. */
const STRIDE = IS_LONG ? 1 : 31;
/** Of the ticks whose lists expire. */
const EXPIRING_STRIDE = IS_LONG ? 1 : 9;
const LONG_MS = 1_800_000;

let stage: Stage;
let runs: readonly Undisturbed[] = [];
let cells: readonly Cell<Undisturbed>[] = [];
let played = 0;
let expired = 0;

beforeAll(async () => {
  stage = await openStage();
  const all = await allScenes();
  const found: Undisturbed[] = [];
  for (const scene of all) found.push(await undisturbed(stage, scene));
  runs = found;
  cells = cellsOf(runs);
}, LONG_MS);

afterAll(async () => {
  const also = `, ${expired} ticks with expired lists`;
  console.log(playedText('fault matrix', played, cells, { ticks: runs.length, also }));
  await stage.close();
});

describe('a tick of every scenario is made good by clean ones when a write', () => {
  test.each(ALL_TROUBLES)(
    '%s',
    async (name, trouble) => {
      const chosen = cells.filter((cell, index) => cell.trouble === name && index % STRIDE === 0);
      const wrong: string[] = [];
      for (const { run, write } of chosen) {
        const problems = await playCell(stage, run, write, trouble);
        if (problems.length > 0) wrong.push(`${run.scene.name}, write ${write}: ${problems.join('; ')}`);
        played += 1;
      }
      expect(chosen.length).toBeGreaterThan(cells.length / ALL_TROUBLES.length / STRIDE / 2);
      expect(wrong).toEqual([]);
    },
    LONG_MS,
  );
});

describe('a tick of every scenario is made good by clean ones when the second page of a list', () => {
  test.each([
    ['expires once', undefined],
    ['expires every time', 'each'],
  ] as const)(
    '%s',
    async (_what, repeat) => {
      const wrong: string[] = [];
      for (const run of runs.filter((_run, index) => index % EXPIRING_STRIDE === 0)) {
        const problems = await playExpiring(stage, run, repeat);
        if (problems !== undefined) expired += 1;
        if ((problems ?? []).length > 0) wrong.push(`${run.scene.name}: ${problems?.join('; ')}`);
      }
      expect(wrong).toEqual([]);
    },
    LONG_MS,
  );
});

test('the matrix is as large as the scenarios are many', () => {
  // Fewer would mean that scenarios or their writes are not found any more.
  expect(runs.length).toBeGreaterThan(700);
  expect(cells.length).toBeGreaterThan(30_000);
});
