import { spawnSync } from 'node:child_process';

const PROGRAMS = ['git', 'bash', 'jq'];
const missing = PROGRAMS.filter((name) => spawnSync(name, ['--version']).error !== undefined);

/** What the commands of the examples need is not on this machine. */
export const IS_MISSING = missing.length > 0;

/** Ends the name of a test, so that one that is skipped says why. */
export const SKIPPED = IS_MISSING ? ` (skipped: no ${missing.join(' and no ')} found)` : '';
