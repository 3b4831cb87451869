/** The table of design.md 6. */
export const EXIT = {
  done: 0,
  failed: 1,
  changes: 2,
  partly: 3,
  stale: 4,
  usage: 64,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
