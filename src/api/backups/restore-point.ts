import { isObject, textMember } from '#core/object/canonical.ts';
import { compareText, keyOf } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { readTime, timeOf } from '#core/object/time-field.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { PLAN_LABEL } from './provenance.ts';
import { applicationOf, looseReference, type TypedReference } from './reference.ts';

interface Named {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** A point that an application can be restored from, as its record tells it. */
export interface RestorePoint {
  readonly key: ObjectKey;
  readonly application: Named;
  /** By the record, else by its label. */
  readonly plan: string | undefined;
  readonly strategy: Named;
  readonly takenAt: Instant | undefined;
  /** Empty where nobody says it. */
  readonly phase: string;
  readonly uri: string | undefined;
  readonly sizeBytes: number | undefined;
  readonly checksum: string | undefined;
}

function named({ apiGroup = '', kind, name }: TypedReference): Named {
  return { group: apiGroup, kind, name };
}

/** Reads the record leniently: it may be of any driver. */
export function restorePointOf(object: KubeObject): RestorePoint {
  const spec = isObject(object.spec) ? object.spec : {};
  const status = isObject(object.status) ? object.status : {};
  const { artifact } = status;
  const size = isObject(artifact) ? artifact.sizeBytes : undefined;
  return {
    key: keyOf(object),
    application: named(applicationOf(looseReference(spec.applicationRef))),
    plan: textMember(spec.planRef, 'name') ?? object.metadata.labels?.[PLAN_LABEL],
    strategy: named(looseReference(spec.strategyRef)),
    takenAt: timeOf(readTime(spec, 'takenAt')),
    phase: textMember(status, 'phase') ?? '',
    uri: textMember(artifact, 'uri'),
    sizeBytes: typeof size === 'number' ? size : undefined,
    checksum: textMember(artifact, 'checksum'),
  };
}

/** The newest first; what has no time comes last. */
export function compareRestorePoints(a: RestorePoint, b: RestorePoint): number {
  const never = Number.NEGATIVE_INFINITY;
  const later = (b.takenAt ?? never) - (a.takenAt ?? never);
  const order = Number.isNaN(later) ? 0 : later;
  return order || compareText(a.key.namespace, b.key.namespace) || compareText(a.key.name, b.key.name);
}

/** The published form; what is not known is left out. */
export function toRestorePointDocument(point: RestorePoint): object {
  const { key, application, plan, strategy, takenAt, phase, uri, sizeBytes, checksum } = point;
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
