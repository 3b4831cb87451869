import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { createdRun, toldNotes } from '#test/kinds/support/decide-one.ts';

const API = 'backups.cozystack.io/v1alpha1';
const NOW = '2026-06-10T03:00:10Z';

function plan(spec: JsonObject = {}): KubeObject {
  return {
    apiVersion: API,
    kind: 'Plan',
    metadata: {
      name: 'ledger',
      namespace: 'tenant-elm',
      uid: 'uid-ledger',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: {
      applicationRef: { kind: 'MariaDB', name: 'main' },
      backupClassName: 'weekly-s3',
      schedule: { cron: '0 3 * * *' },
      ...spec,
    },
    status: { lastScheduleTime: '2026-06-09T03:00:00Z' },
  };
}

describe('the BackupJob of a slot (backups.md B.2)', () => {
  test('has the name of the minute, our marks, its owner, and no label', () => {
    expect(createdRun([plan()], NOW)).toEqual({
      apiVersion: API,
      kind: 'BackupJob',
      metadata: {
        name: 'ledger-29684340',
        namespace: 'tenant-elm',
        annotations: {
          'minutehand.dev/slot': '2026-06-10T03:00:00Z',
          'minutehand.dev/owner-uid': 'uid-ledger',
        },
        ownerReferences: [
          {
            apiVersion: API,
            kind: 'Plan',
            name: 'ledger',
            uid: 'uid-ledger',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        planRef: { name: 'ledger' },
        applicationRef: { apiGroup: 'apps.cozystack.io', kind: 'MariaDB', name: 'main' },
        backupClassName: 'weekly-s3',
      },
    });
  });

  test.each<[string, JsonObject, string]>([
    ['absent', {}, 'apps.cozystack.io'],
    ['null', { apiGroup: null }, 'apps.cozystack.io'],
    ['empty', { apiGroup: '' }, 'apps.cozystack.io'],
    ['written', { apiGroup: 'apps.example.org' }, 'apps.example.org'],
  ])('an %s group of the application is said in full', (_how, group, apiGroup) => {
    const run = createdRun([plan({ applicationRef: { ...group, kind: 'Redis', name: 'cache' } })], NOW);
    expect(run?.spec).toMatchObject({ applicationRef: { apiGroup, kind: 'Redis', name: 'cache' } });
  });
});

describe('the words of events', () => {
  test('tell the slot in UTC', () => {
    expect(toldNotes([plan()], NOW)).toEqual([
      'BackupJobCreated: created ledger-29684340 for slot 2026-06-10T03:00:00Z',
    ]);
  });

  test.each([
    [{ cron: '61 * * * *' }, /^InvalidSchedule: the schedule "61 \* \* \* \*" cannot be used: .*61/],
    [{ cron: '' }, /^InvalidSchedule: the schedule "" cannot be used: .* is missing or empty$/],
    [
      { cron: '0 0 30 2 *' },
      /^InvalidSchedule: the schedule "0 0 30 2 \*" cannot be used: it names no instant/,
    ],
    [
      { cron: '0 3 * * *', type: 'calendar' },
      /^InvalidSchedule: the schedule cannot be used: spec\.schedule\.type is "calendar", and .* no other type than cron; the expression "0 3 \* \* \*" was not looked at$/,
    ],
  ])('%j is told with its expression', (schedule, note) => {
    expect(toldNotes([plan({ schedule })], NOW)).toEqual([expect.stringMatching(note)]);
  });
});
