import { describe, expect, it } from 'vitest';
import { type Resolution, resolveBackupClass } from '#api/backups/backup-class.ts';
import { applicationOf, type TypedReference } from '#api/backups/reference.ts';
import { BACKUP_CLASS } from '#api/backups/resources.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';

const STRATEGY = { apiGroup: 'jobdriver.backups.cozystack.io', kind: 'JobBackupStrategy', name: 'first' };

function backupClass(strategies: Json): KubeObject {
  const metadata = { name: 'silver' };
  return { apiVersion: apiVersionOf(BACKUP_CLASS), kind: BACKUP_CLASS.kind, metadata, spec: { strategies } };
}

function entry(application: Json, name = 'first'): Json {
  return { application, strategyRef: { ...STRATEGY, name } };
}

function resolve(strategies: Json, application: TypedReference): Resolution {
  return resolveBackupClass({ state: 'found', object: backupClass(strategies) }, applicationOf(application));
}

const MATCHED: Resolution = { state: 'matched', index: 0, strategyRef: STRATEGY, parameters: {} };
const REDIS = { kind: 'Redis', name: 'sessions' };

describe('a class is asked for the strategy of an application (backups.md B.3)', () => {
  it.each<[name: string, strategies: Json, application: TypedReference, want: Resolution]>([
    [
      'a reference without group meets the default group spelled out',
      [entry({ apiGroup: 'apps.cozystack.io', kind: 'Redis' })],
      REDIS,
      MATCHED,
    ],
    ['both are without group', [entry({ kind: 'Redis' })], REDIS, MATCHED],
    [
      'both spell out the same group',
      [entry({ apiGroup: 'db.example.org', kind: 'Redis' })],
      { ...REDIS, apiGroup: 'db.example.org' },
      MATCHED,
    ],
    [
      'the group differs and the kind does not',
      [entry({ apiGroup: 'db.example.org', kind: 'Redis' })],
      REDIS,
      { state: 'noMatch' },
    ],
    [
      'the first of two entries for one kind wins',
      [entry({ kind: 'Postgres' }, 'other'), entry({ kind: 'Redis' }), entry({ kind: 'Redis' }, 'second')],
      REDIS,
      { ...MATCHED, index: 1 },
    ],
    [
      'an empty group is the default',
      [entry({ apiGroup: '', kind: 'Redis' })],
      { ...REDIS, apiGroup: '' },
      MATCHED,
    ],
    ['no entry stands in the list', [], REDIS, { state: 'noMatch' }],
    ['kinds are compared by letter case', [entry({ kind: 'redis' })], REDIS, { state: 'noMatch' }],
    ['a star is no wildcard', [entry({ kind: '*' })], REDIS, { state: 'noMatch' }],
    [
      'the strategy is of another driver',
      [{ application: { kind: 'Redis' }, strategyRef: { apiGroup: 'velero.io', kind: 'Velero', name: 'v' } }],
      REDIS,
      {
        state: 'matched',
        index: 0,
        strategyRef: { apiGroup: 'velero.io', kind: 'Velero', name: 'v' },
        parameters: {},
      },
    ],
    [
      'the strategy has no group',
      [{ application: { kind: 'Redis' }, strategyRef: { kind: 'JobBackupStrategy', name: 's' } }],
      REDIS,
      { state: 'strategyRefIncomplete', index: 0 },
    ],
    [
      'the strategy has an empty group',
      [{ application: { kind: 'Redis' }, strategyRef: { ...STRATEGY, apiGroup: '' } }],
      REDIS,
      { state: 'strategyRefIncomplete', index: 0 },
    ],
    [
      'the parameters come along unchanged',
      [{ application: { kind: 'Redis' }, strategyRef: STRATEGY, parameters: { bucket: 'b', empty: '' } }],
      REDIS,
      { ...MATCHED, parameters: { bucket: 'b', empty: '' } },
    ],
  ])('%s', (_name, strategies, application, want) => {
    expect(resolve(strategies, application)).toEqual(want);
  });

  it('a class that is not there is missing', () => {
    expect(resolveBackupClass({ state: 'missing' }, REDIS)).toEqual({ state: 'missing' });
  });

  it('a list that could not be read is not a missing class', () => {
    const unreadable = { state: 'unreadable', reason: 'forbidden' } as const;
    expect(resolveBackupClass(unreadable, REDIS)).toEqual(unreadable);
  });

  it('a class whose spec does not fit says which field', () => {
    expect(resolve('none', REDIS)).toEqual({
      state: 'unreadable',
      reason: 'BackupClass silver: spec.strategies is a string, "none"',
    });
  });
});
