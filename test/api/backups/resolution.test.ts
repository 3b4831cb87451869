import { describe, expect, it } from 'vitest';
import { type Resolution, resolveBackupClass } from '#api/backups/backup-class.ts';
import { applicationOf, type TypedReference } from '#api/backups/reference.ts';
import { BACKUP_CLASS } from '#api/backups/resources.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';

const STRATEGY = { apiGroup: 'jobdriver.backups.cozystack.io', kind: 'JobBackupStrategy', name: 'first' };

const STRATEGY_FOR_OTHER = { application: { kind: 'Postgres' }, strategyRef: STRATEGY };

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

  it('a class without a list of entries says what stands there', () => {
    expect(resolve('none', REDIS)).toEqual({
      state: 'classInvalid',
      what: 'spec.strategies is a string, "none"',
    });
  });

  it('a class without anything says what it needs', () => {
    const { apiVersion, kind, metadata } = backupClass([]);
    const found = { state: 'found', object: { apiVersion, kind, metadata } } as const;
    expect(resolveBackupClass(found, REDIS)).toEqual({
      state: 'classInvalid',
      what: 'spec.strategies is required',
    });
  });
});

describe('one odd entry spoils no other', () => {
  const good = entry({ kind: 'Redis' });

  it.each<[name: string, odd: Json]>([
    ['nothing', null],
    ['a text', 'Redis'],
    ['a list', [good]],
    ['no application', { strategyRef: STRATEGY }],
    ['a number as kind', entry({ kind: 7 })],
    ['an empty kind', entry({ kind: '' })],
    ['a number as group', entry({ apiGroup: 7, kind: 'Redis' })],
    ['a number as parameter of another kind', { ...STRATEGY_FOR_OTHER, parameters: { port: 5432 } }],
    ['no strategy for another kind', { application: { kind: 'Postgres' } }],
  ])('%s', (_name, odd) => {
    expect(resolve([odd, good], REDIS)).toEqual({ ...MATCHED, index: 1 });
    expect(resolve([good, odd], REDIS)).toEqual(MATCHED);
  });

  it('a parameter that is null counts as absent', () => {
    const parameters = { bucket: 'b', region: null };
    const redis = { application: { kind: 'Redis' }, strategyRef: STRATEGY, parameters };
    expect(resolve([redis], REDIS)).toEqual({ ...MATCHED, parameters: { bucket: 'b' } });
  });
});

describe('the entry that matches cannot be used', () => {
  const application = { kind: 'Redis' };

  it.each<[name: string, odd: Json, what: string]>([
    [
      'a number as parameter',
      { application, strategyRef: STRATEGY, parameters: { port: 6379 } },
      'spec.strategies[0].parameters.port is a number, 6379',
    ],
    [
      'a list of parameters',
      { application, strategyRef: STRATEGY, parameters: ['a'] },
      'spec.strategies[0].parameters is a list, […]',
    ],
    [
      'a strategy without a name',
      { application, strategyRef: { apiGroup: STRATEGY.apiGroup, kind: STRATEGY.kind } },
      'spec.strategies[0].strategyRef.name is required',
    ],
    [
      'a number as the kind of the strategy',
      { application, strategyRef: { ...STRATEGY, kind: 1 } },
      'spec.strategies[0].strategyRef.kind is a number, 1',
    ],
  ])('%s', (_name, odd, what) => {
    const resolution = resolve([odd, entry(application)], REDIS);
    expect(resolution).toMatchObject({ state: 'entryInvalid', index: 0, what });
    expect(resolution).toHaveProperty('strategyRef.apiGroup', STRATEGY.apiGroup);
  });

  it.each<[name: string, strategyRef: Json]>([
    ['no strategy', null],
    ['a text as strategy', 'first'],
    ['a number as group', { ...STRATEGY, apiGroup: 5 }],
  ])('%s says nothing of whose it is', (_name, strategyRef) => {
    expect(resolve([{ application, strategyRef }], REDIS)).toEqual({
      state: 'strategyRefIncomplete',
      index: 0,
    });
  });
});
