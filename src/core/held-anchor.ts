import type { KindRules } from '#core/kind-rules.ts';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { readTime, readTimeValue } from '#core/object/time-field.ts';

type Rules = Pick<KindRules, 'anchorAnnotation'>;

/** What the annotation says where that counts: the field is absent, or earlier. Garbage is never taken for absent. */
function heldAnchor({ anchorAnnotation }: Rules, { metadata, status }: KubeObject): string | undefined {
  const text = anchorAnnotation && metadata.annotations?.[anchorAnnotation.annotation];
  if (anchorAnnotation === undefined || text === undefined) return undefined;
  const field = readTime(status, anchorAnnotation.field);
  if (field.state === 'absent') return text;
  const held = readTimeValue(text);
  return field.state === 'read' && held.state === 'read' && held.at > field.at ? text : undefined;
}

/**
 * The object with its anchor where it is looked for: the definition of its type may not declare the field, and then an
 * annotation holds it. Of both, the later one counts.
 */
export function withHeldAnchor(rules: Rules, object: KubeObject): KubeObject {
  const held = heldAnchor(rules, object);
  const { status } = object;
  // A status that is no object is told as that.
  const odd = status !== undefined && status !== null && !isObject(status);
  if (rules.anchorAnnotation === undefined || held === undefined || odd) return object;
  const fields: JsonObject = isObject(status) ? status : {};
  return { ...object, status: { ...fields, [rules.anchorAnnotation.field]: held } };
}

/** The object without an anchor that only the annotation holds: for such a field nobody can be on record. */
export function withoutHeldAnchor({ anchorAnnotation }: Rules, object: KubeObject): KubeObject {
  const { metadata, status } = object;
  if (anchorAnnotation === undefined || !isObject(status)) return object;
  const { field, annotation } = anchorAnnotation;
  const isRepeated = status[field] !== undefined && status[field] === metadata.annotations?.[annotation];
  const isOnRecord = metadata.managedFields?.some(({ fieldsV1 }) => {
    const marks = fieldsV1?.['f:status'];
    return isObject(marks) && marks[`f:${field}`] !== undefined;
  });
  if (!isRepeated || isOnRecord === true) return object;
  const { [field]: _held, ...others } = status;
  return { ...object, status: others };
}

/** What the annotation has to say, because the anchor is not among what was kept of a status; nothing if it does. */
export function anchorToHold(
  { anchorAnnotation }: Rules,
  wanted: JsonObject,
  { metadata, status }: KubeObject,
): Readonly<Record<string, string>> | undefined {
  if (anchorAnnotation === undefined) return undefined;
  const { field, annotation } = anchorAnnotation;
  const anchor = readTime(wanted, field);
  if (anchor.state !== 'read') return undefined;
  const places = [readTime(status, field), readTimeValue(metadata.annotations?.[annotation])];
  const stands = places.some((place) => place.state === 'read' && place.at >= anchor.at);
  return stands ? undefined : { [annotation]: anchor.text };
}
