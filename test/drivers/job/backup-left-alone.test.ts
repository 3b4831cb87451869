import { describe, expect, it } from 'vitest';
import { backupClass, backupJob, workOn } from './support/given.ts';
import { GONE, READY, testStates } from './support/states.ts';

const FOREIGN = { strategyRef: { apiGroup: 'velero.io', kind: 'Velero', name: 'v' } };
const MANAGER = {
  managedFields: [
    {
      manager: 'velero',
      operation: 'Update',
      subresource: 'status',
      fieldsV1: { 'f:status': { 'f:phase': {} } },
    },
  ],
};

describe('a BackupJob that is left alone', () => {
  testStates([
    ['the strategy is another driver’s', { objects: [backupJob(), backupClass(FOREIGN)] }, 'foreign', [], []],
    [
      'another driver’s entry is odd',
      { objects: [backupJob(), backupClass({ ...FOREIGN, parameters: { port: 5 } })] },
      'foreign',
      [],
      [],
    ],
    [
      'another driver’s has a long name',
      { objects: [backupJob({}, { metadata: { name: 'n'.repeat(60) } }), backupClass(FOREIGN)] },
      'foreign',
      [],
      [],
    ],
    ['it succeeded', { objects: [backupJob({ phase: 'Succeeded' }), ...READY] }, 'finished', [], []],
    ['it failed', { objects: [backupJob({ phase: 'Failed' }), ...READY] }, 'finished', [], []],
    ['its phase is unknown', { objects: [backupJob({ phase: 'Cancelled' }), ...READY] }, 'invalid', [], []],
    ['it is being deleted', { objects: [backupJob({}, { metadata: GONE }), ...READY] }, 'deleting', [], []],
    [
      'its name is too long',
      { objects: [backupJob({}, { metadata: { name: 'n'.repeat(57) } }), ...READY] },
      'invalid',
      [],
      [],
    ],
    ['its spec does not fit', { objects: [backupJob({}, { spec: {} }), ...READY] }, 'invalid', [], []],
    [
      'somebody else writes its status',
      { objects: [backupJob({ phase: 'Running' }, { metadata: MANAGER }), ...READY] },
      'observed',
      [],
      [],
    ],
    [
      'somebody else writes the status of one whose class is missing',
      { objects: [backupJob({ phase: 'Running' }, { metadata: MANAGER })] },
      'observed',
      [],
      [],
    ],
    [
      'the configuration observes',
      { objects: [backupJob(), ...READY], writer: 'observe' },
      'observed',
      [],
      [],
    ],
  ]);
});

describe('a name that is too long', () => {
  it.each([
    [57, 'shorten the name by 1'],
    [60, 'shorten the name by 4'],
  ])('of %d characters', (length, fix) => {
    const order = backupJob({}, { metadata: { name: 'n'.repeat(length) } });
    expect(workOn({ objects: [order, ...READY] }).findings).toMatchObject([{ code: 'NameTooLong', fix }]);
  });
});
