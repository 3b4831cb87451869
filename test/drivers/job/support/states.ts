import { expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import type { WorkState } from '#core/run/driver.ts';
import { backupClass, type Given, LONG_AGO, linesOf, strategy, workOn } from './given.ts';

export const READY = [backupClass(), strategy()];
export const NOT_OURS = { owner: 'uid-of-another' };
export const RUNNING: JsonObject = { phase: 'Running', startedAt: LONG_AGO };
export const GONE = { deletionTimestamp: '2026-11-29T03:00:00Z' };
export const FAILED = ['status BackupJob Failed BackupFailed'];
export const START = [
  'status BackupJob Running JobStarting',
  'create Job nightly-1-backup',
  'status BackupJob Running JobCreated',
];

/** What an order finds, where it stands after the tick, what is written and what is told. */
export type StateRow = readonly [
  name: string,
  given: Given,
  state: WorkState,
  steps: readonly string[],
  event: readonly string[],
];

export function testStates(rows: readonly StateRow[]): void {
  test.each(rows)('%s', (_name, given, state, steps, events) => {
    const work = workOn(given);
    const told = work.events.map(({ type, reason }) => `${type} ${reason}`);
    expect([work.state, linesOf(work), told]).toEqual([state, steps, events]);
  });
}
