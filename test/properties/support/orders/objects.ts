import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { APPLICATION } from '#test/properties/support/timetable.ts';

export const GROUP = 'backups.cozystack.io';
const OURS = 'jobdriver.backups.cozystack.io';

/** The namespaces of `someTimetables`. */
export const NAMESPACES = ['harbor', 'vault-a', 'vault-b'] as const;
export const CLASSES = ['silver', 'gold'] as const;
export const STRATEGIES = ['dump', 'copy'] as const;

/** What a class says of the application: a strategy of ours, somebody else's, nothing, or half a reference. */
export type Binding = 'ours' | 'foreign' | 'none' | 'incomplete';

/** A BackupClass as its author thinks of it. */
export interface ClassDraft {
  readonly binding: Binding;
  readonly strategy: (typeof STRATEGIES)[number];
  /** The parameter that every template asks for. */
  readonly bucket: string | undefined;
}

const STRATEGY_GROUPS: Readonly<Record<Binding, string | undefined>> = {
  ours: OURS,
  none: OURS,
  foreign: 'strategy.example.org',
  incomplete: undefined,
};

export function classObject(name: string, { binding, strategy, bucket }: ClassDraft): KubeObject {
  const apiGroup = STRATEGY_GROUPS[binding];
  const reference = { kind: 'JobBackupStrategy', name: strategy };
  const entry = {
    application: { kind: binding === 'none' ? 'Postgres' : APPLICATION.kind },
    strategyRef: apiGroup === undefined ? reference : { apiGroup, ...reference },
    ...(bucket === undefined ? {} : { parameters: { bucket } }),
  };
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'BackupClass',
    metadata: { name },
    spec: { strategies: [entry] },
  };
}

export function strategyObject(name: string): KubeObject {
  const args = ['--host={{ Release.Name }}', '--bucket={{ Parameters.bucket }}'];
  const containers = [{ name: 'mover', image: 'registry.example/mover:1', args }];
  return {
    apiVersion: `${OURS}/v1alpha1`,
    kind: 'JobBackupStrategy',
    metadata: { name },
    spec: { template: { spec: { containers } } },
  };
}

export function applicationObject(namespace: string): KubeObject {
  const { apiGroup, kind, name } = APPLICATION;
  return { apiVersion: `${apiGroup}/v1alpha1`, kind, metadata: { name, namespace }, spec: { size: 1 } };
}

export function applicationKey(namespace: string): ObjectKey {
  const { apiGroup: group, kind, name } = APPLICATION;
  return { group, kind, namespace, name };
}

/** A BackupJob as a person writes it. */
export function backupJobObject(namespace: string, name: string, backupClassName: string): KubeObject {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'BackupJob',
    metadata: { name, namespace },
    spec: { applicationRef: { kind: APPLICATION.kind, name: APPLICATION.name }, backupClassName },
  };
}

export function restoreJobObject(namespace: string, name: string, backup: string): KubeObject {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'RestoreJob',
    metadata: { name, namespace },
    spec: { backupRef: { name: backup } },
  };
}
