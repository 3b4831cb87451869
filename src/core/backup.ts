import { isObject, textMember } from '#core/object/canonical.ts';
import { compareText, keyOf } from '#core/object/key.ts';
import type { Json, KubeObject, ObjectKey } from '#core/object/object.ts';
import { readTime, timeOf } from '#core/object/time-field.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

interface Reference {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** A point that an application can be restored from, as its record tells it. */
export interface Backup {
  readonly key: ObjectKey;
  readonly application: Reference;
  readonly plan: string | undefined;
  readonly strategy: Reference;
  readonly takenAt: Instant | undefined;
  /** Empty where nobody says it. */
  readonly phase: string;
  readonly uri: string | undefined;
  readonly sizeBytes: number | undefined;
  readonly checksum: string | undefined;
}

/** The group that is meant where a reference names none (backups.md B.3). */
const DEFAULT_GROUP = 'apps.cozystack.io';

function referenceOf(value: Json | undefined, defaultGroup: string): Reference {
  const group = textMember(value, 'apiGroup') ?? '';
  return {
    group: group === '' ? defaultGroup : group,
    kind: textMember(value, 'kind') ?? '',
    name: textMember(value, 'name') ?? '',
  };
}

/** Reads the record leniently: it may be of any driver. */
export function backupOf(object: KubeObject): Backup {
  const spec = isObject(object.spec) ? object.spec : {};
  const status = isObject(object.status) ? object.status : {};
  const { artifact } = status;
  const size = isObject(artifact) ? artifact.sizeBytes : undefined;
  return {
    key: keyOf(object),
    application: referenceOf(spec.applicationRef, DEFAULT_GROUP),
    plan: textMember(spec.planRef, 'name'),
    strategy: referenceOf(spec.strategyRef, ''),
    takenAt: timeOf(readTime(spec, 'takenAt')),
    phase: textMember(status, 'phase') ?? '',
    uri: textMember(artifact, 'uri'),
    sizeBytes: typeof size === 'number' ? size : undefined,
    checksum: textMember(artifact, 'checksum'),
  };
}

/** The newest first; what has no time comes last. */
export function compareBackups(a: Backup, b: Backup): number {
  const never = Number.NEGATIVE_INFINITY;
  const later = (b.takenAt ?? never) - (a.takenAt ?? never);
  const order = Number.isNaN(later) ? 0 : later;
  return order || compareText(a.key.namespace, b.key.namespace) || compareText(a.key.name, b.key.name);
}

/** The published form; what is not known is left out. */
export function toBackupDocument(backup: Backup): object {
  const { key, application, plan, strategy, takenAt, phase, uri, sizeBytes, checksum } = backup;
  return {
    namespace: key.namespace,
    name: key.name,
    application,
    ...(plan === undefined ? {} : { plan }),
    strategy,
    ...(takenAt === undefined ? {} : { takenAt: formatInstant(takenAt) }),
    phase,
    ...(uri === undefined ? {} : { uri }),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(checksum === undefined ? {} : { checksum }),
  };
}
