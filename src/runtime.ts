import process from 'node:process';
import type { Runtime } from '#cli/version-text.ts';

/** What this process runs on. */
export function runtime(): Runtime {
  return {
    node: process.versions.node,
    timeZoneData: process.versions['tz'] ?? 'unknown',
    platform: `${process.platform}/${process.arch}`,
  };
}
