import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG } from '#test/support/test-length.ts';
import { playCell, playExpiring, type Undisturbed, undisturbed } from './fault-matrix/matrix.ts';
import { allScenes } from './fault-matrix/scene.ts';
import { openStage, type Stage } from './fault-matrix/stage.ts';
import { TROUBLES } from './fault-matrix/troubles.ts';

const ALL = Object.entries(TROUBLES);
/** One cell of so many is played in a short run; prime to the number of troubles, so that none is left out. */
const STRIDE = IS_LONG ? 1 : 31;
/** Of the ticks whose lists expire. */
const EXPIRING_STRIDE = IS_LONG ? 1 : 9;
const LONG_MS = 1_800_000;

interface Cell {
  readonly run: Undisturbed;
  readonly write: number;
  readonly trouble: string;
}

let stage: Stage;
let runs: readonly Undisturbed[] = [];
let cells: readonly Cell[] = [];
let played = 0;
let expired = 0;

beforeAll(async () => {
  stage = await openStage();
  const all = await allScenes();
  const found: Undisturbed[] = [];
  for (const scene of all) found.push(await undisturbed(stage, scene));
  runs = found;
  cells = runs.flatMap((run) =>
    Array.from({ length: run.writes }, (_, index) => index + 1).flatMap((write) =>
      ALL.map(([trouble]) => ({ run, write, trouble })),
    ),
  );
}, LONG_MS);

afterAll(async () => {
  const writes = cells.length / ALL.length;
  const rest = IS_LONG ? '' : '; MINUTEHAND_TEST=long plays all of them';
  console.log(
    `fault matrix: ${played} of ${cells.length} cells played ` +
      `(${runs.length} ticks, ${writes} writes, ${ALL.length} troubles), ${expired} ticks with expired lists${rest}`,
  );
  await stage.close();
});

describe('a tick of every scenario is made good by clean ones when a write', () => {
  test.each(ALL)(
    '%s',
    async (name, trouble) => {
      const chosen = cells.filter((cell, index) => cell.trouble === name && index % STRIDE === 0);
      const wrong: string[] = [];
      for (const { run, write } of chosen) {
        const problems = await playCell(stage, run, write, trouble);
        if (problems.length > 0) wrong.push(`${run.scene.name}, write ${write}: ${problems.join('; ')}`);
        played += 1;
      }
      expect(chosen.length).toBeGreaterThan(cells.length / ALL.length / STRIDE / 2);
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
