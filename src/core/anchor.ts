import type { Finding } from '#core/kind.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { readTime, readTimeValue, type TimeField } from '#core/object/time-field.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

/** What a schedule last settled, or why nobody can tell. */
export interface Anchor {
  readonly at: Instant;
  readonly from: 'status' | 'creation' | 'assumed';
  readonly findings: readonly Finding[];
  /** A time is there but cannot be read: taking it for absent would fire old slots again. */
  readonly unreadable: boolean;
}

const SHOWN = 60;

function garbage(path: readonly string[], shown: string): Finding {
  return {
    code: 'InvalidTimestamp',
    severity: 'error',
    path,
    what: `${path.join('.')} is ${shown}, which is not an RFC 3339 time`,
    why: 'a time that cannot be read is never taken for absent: old slots would fire again',
    fix: 'write a time such as 2026-11-29T03:00:00Z, or remove the field',
  };
}

function oddStatus(status: Json): Finding {
  return {
    code: 'InvalidField',
    severity: 'error',
    path: ['status'],
    what: `status is ${JSON.stringify(status).slice(0, SHOWN)}, which is not an object`,
    why: 'what was last settled cannot be told, and is never taken for nothing: old slots would fire again',
    fix: 'restore the status, or remove it if the schedule never ran',
  };
}

function future(path: readonly string[], at: Instant, now: Instant): Finding {
  return {
    code: 'AnchorInFuture',
    severity: 'warning',
    path,
    what: `${path.join('.')} is ${formatInstant(at)}, later than now (${formatInstant(now)})`,
    why: 'nothing is owed before that time',
    fix: 'check the clock; correct the field if the time is wrong',
  };
}

function anchorAt(field: TimeField, created: TimeField, now: Instant): Pick<Anchor, 'at' | 'from'> {
  if (field.state === 'read') return { at: field.at, from: 'status' };
  return { at: created.state === 'read' ? created.at : now, from: 'creation' };
}

/** Where the anchor of the status really stands: in the annotation if that is what the field repeats. */
function anchorPlace({ status, metadata }: KubeObject, annotation: string | undefined): readonly string[] {
  const held = annotation === undefined ? undefined : metadata.annotations?.[annotation];
  return annotation !== undefined && held !== undefined && textMember(status, 'lastScheduleTime') === held
    ? ['metadata', 'annotations', annotation]
    : ['status', 'lastScheduleTime'];
}

/** An annotation that cannot be read, where it is not what the status repeats. */
function garbageAnnotation(
  { metadata }: KubeObject,
  annotation: string | undefined,
  place: readonly string[],
): readonly Finding[] {
  if (annotation === undefined || place.at(-1) === annotation) return [];
  const held = readTimeValue(metadata.annotations?.[annotation]);
  return held.state === 'garbage' ? [garbage(['metadata', 'annotations', annotation], held.shown)] : [];
}

/**
 * `status.lastScheduleTime`, else the creation; an object without either owes nothing before now.
 * @param annotation the one of `KindRules.anchorAnnotation`
 */
export function anchorOf(object: KubeObject, now: Instant, annotation?: string): Anchor {
  const field = readTime(object.status, 'lastScheduleTime');
  const place = anchorPlace(object, annotation);
  const held = garbageAnnotation(object, annotation, place);
  const created = readTimeValue(object.metadata.creationTimestamp);
  const findings: Finding[] = [...held];
  const { status } = object;
  const isOdd = status !== undefined && status !== null && !isObject(status);
  if (isOdd) findings.push(oddStatus(status));
  if (field.state === 'garbage') findings.push(garbage(place, field.shown));
  if (created.state === 'garbage') findings.push(garbage(['metadata', 'creationTimestamp'], created.shown));
  if (field.state === 'read' && field.at > now) findings.push(future(place, field.at, now));
  return {
    ...anchorAt(field, created, now),
    findings,
    unreadable: isOdd || held.length > 0 || field.state === 'garbage' || created.state === 'garbage',
  };
}
