import { spawnSync } from 'node:child_process';
import { describe, test } from 'vitest';
import { findProgram } from '#test/support/find-program.ts';

export type Promtool = (...args: readonly string[]) => {
  readonly status: number | null;
  readonly said: string;
};

/** Tests that need promtool. Where there is none they become one skipped test whose name says what to do. */
export function describeWithPromtool(name: string, define: (promtool: Promtool) => void): void {
  const program = findProgram('promtool');
  if (program === undefined) {
    const skipped = `${name}: needs promtool: install prometheus (promtool is not on the PATH)`;
    console.warn(`SKIPPED ${skipped}`);
    test.skip(skipped);
    return;
  }
  describe(name, () => {
    define((...args) => {
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
      return { status, said: stdout + stderr };
    });
  });
}
