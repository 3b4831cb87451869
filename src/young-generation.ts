import { setFlagsFromString } from 'node:v8';

/*
 * How the memory of new objects grows. The engine takes compiled code only under the flags that it was kept under, so
 * that whoever reads or keeps such code does it under the usual ones.
 */

const USUAL = '--semi-space-growth-factor=2';
const SMALL = '--semi-space-growth-factor=1';

let isSmall = false;

/** Of large lists most stays: a young generation that grows with them takes half as much memory again, and saves no time. */
export function keepYoungGenerationSmall(): void {
  if (isSmall) return;
  isSmall = true;
  setFlagsFromString(SMALL);
}

export function underUsualFlags<T>(run: () => T): T {
  if (!isSmall) return run();
  setFlagsFromString(USUAL);
  try {
    return run();
  } finally {
    setFlagsFromString(SMALL);
  }
}
