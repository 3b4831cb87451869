import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';

const BACKUPS = 'backups.cozystack.io/v1alpha1';
export const GROUP = 'copy.example.net';
export const STRATEGY_REF = { apiGroup: GROUP, kind: 'CopyStrategy', name: 'whole' };
export const ROWS = ['bread', 'salt'];
export const NOW = '2026-11-29T15:02:00Z';

export const STRATEGY = 'copy.example.net/copystrategy/_/whole.json';
export const LEDGER = 'apps.cozystack.io/ledger/elm/main.json';
export const CLASS_PATH = 'backups.cozystack.io/backupclass/_/bronze.json';
export const ORDER = 'backups.cozystack.io/backupjob/elm/by-hand.json';
export const RESTORE = 'backups.cozystack.io/restorejob/elm/back.json';
export const BACKUP = 'backups.cozystack.io/backup/elm/by-hand.json';

export function object(apiVersion: string, kind: string, name: string, more: JsonObject): KubeObject {
  const metadata = {
    name,
    uid: `uid-${name}`,
    resourceVersion: '1',
    creationTimestamp: '2026-11-29T14:45:00Z',
  };
  return { apiVersion, kind, metadata, ...more };
}

export function within(namespace: string, made: KubeObject): KubeObject {
  return { ...made, metadata: { ...made.metadata, namespace } };
}

export function classOf(strategyRef: JsonObject, before: readonly Json[] = []): KubeObject {
  const entry = { application: { kind: 'Ledger' }, strategyRef };
  return object(BACKUPS, 'BackupClass', 'bronze', { spec: { strategies: [...before, entry] } });
}

export const CLASS = classOf(STRATEGY_REF);
export const PLAN = within(
  'elm',
  object(BACKUPS, 'Plan', 'books', {
    spec: {
      applicationRef: { kind: 'Ledger', name: 'main' },
      backupClassName: 'bronze',
      schedule: { cron: '0 15 * * *' },
    },
  }),
);
export const BACKUP_JOB = within(
  'elm',
  object(BACKUPS, 'BackupJob', 'by-hand', {
    spec: { applicationRef: { kind: 'Ledger', name: 'main' }, backupClassName: 'bronze' },
  }),
);
export const RESTORE_JOB = within(
  'elm',
  object(BACKUPS, 'RestoreJob', 'back', { spec: { backupRef: { name: 'by-hand' } } }),
);
/** What the API of the application and that of the driver would hold: Minutehand reads neither. */
export const OTHERS = {
  [STRATEGY]: object(`${GROUP}/v1`, 'CopyStrategy', 'whole', { spec: {} }),
  [LEDGER]: within('elm', object('apps.cozystack.io/v1', 'Ledger', 'main', { spec: { rows: ROWS } })),
};
export const INPUTS = {
  ...OTHERS,
  [CLASS_PATH]: CLASS,
  [ORDER]: BACKUP_JOB,
};
export const OWN_BACKUP = within('elm', {
  ...object(BACKUPS, 'Backup', 'by-hand', {
    spec: {
      applicationRef: { kind: 'Ledger', name: 'main' },
      strategyRef: STRATEGY_REF,
      takenAt: NOW,
      driverMetadata: { [`${GROUP}/copy`]: '{"rows":["old"]}' },
    },
    status: { phase: 'Ready' },
  }),
});

/** The files of a state folder. */
export type Objects = Readonly<Record<string, KubeObject>>;

export function leaving({ metadata, ...rest }: KubeObject): KubeObject {
  return { ...rest, metadata: { ...metadata, deletionTimestamp: '2026-11-29T15:01:00Z' } };
}

export function without(path: string): Objects {
  return Object.fromEntries(Object.entries(INPUTS).filter(([kept]) => kept !== path));
}
