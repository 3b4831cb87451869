import { IS_LONG } from '#test/support/test-length.ts';
import { TROUBLES } from './troubles.ts';

export const ALL_TROUBLES = Object.entries(TROUBLES);

/** One trouble at one write of a tick; `write` counts from 1. */
export interface Cell<Run> {
  readonly run: Run;
  readonly write: number;
  readonly trouble: string;
}

/** Every trouble at every write of every tick. */
export function cellsOf<Run extends { readonly writes: number }>(runs: readonly Run[]): readonly Cell<Run>[] {
  return runs.flatMap((run) =>
    Array.from({ length: run.writes }, (_, index) => index + 1).flatMap((write) =>
      ALL_TROUBLES.map(([trouble]) => ({ run, write, trouble })),
    ),
  );
}

/** What was played of the matrix, for whoever reads the output of the tests. */
export function playedText(
  name: string,
  played: number,
  cells: readonly Cell<unknown>[],
  more: { readonly ticks: number; readonly also?: string },
): string {
  const troubles = ALL_TROUBLES.length;
  const size = `${more.ticks} ticks, ${cells.length / troubles} writes, ${troubles} troubles`;
  const rest = IS_LONG ? '' : '; MINUTEHAND_TEST=long plays all of them';
  return `${name}: ${played} of ${cells.length} cells played (${size})${more.also ?? ''}${rest}`;
}
