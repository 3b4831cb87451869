import { defineConfig } from 'vitest/config';
import { ClosingLine } from './support/closing-line.ts';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    // What is built for a file of tests is built in a hook.
    hookTimeout: 60_000,
    reporters: ['default', new ClosingLine()],
  },
});
