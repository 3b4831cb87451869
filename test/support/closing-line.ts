import type { Reporter, TestModule } from 'vitest/node';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

function count(modules: readonly TestModule[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const module of modules) {
    // A file that does not even load has no tests, and must not look like success.
    if (module.children.size === 0 || module.errors().length > 0) counts.failed += 1;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed' || state === 'failed' || state === 'skipped') counts[state] += 1;
    }
  }
  return counts;
}

/** Ends a run with one line that people and scripts read, such as `412 passed, 0 failed`. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const { passed, failed, skipped } = count(modules);
    const tail = skipped > 0 ? `, ${skipped} skipped` : '';
    process.on('exit', () => {
      process.stdout.write(`${passed} passed, ${failed + errors.length} failed${tail}\n`);
    });
  }
}
