import { isObject } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';
import { formatInstant, type Instant, parseInstant } from '#core/time/instant.ts';

/** A time that an object carries: absent, readable, or something else that must not be taken for absent. */
export type TimeField =
  | { readonly state: 'absent' }
  | { readonly state: 'read'; readonly at: Instant; readonly text: string }
  | { readonly state: 'garbage'; readonly shown: string };

const ABSENT: TimeField = { state: 'absent' };
const SHOWN = 60;

export function readTime(holder: Json | undefined, field: string): TimeField {
  const value = isObject(holder) ? holder[field] : undefined;
  return readTimeValue(value);
}

export function readTimeValue(value: Json | undefined): TimeField {
  if (value === undefined || value === null) return ABSENT;
  const at = typeof value === 'string' ? parseInstant(value) : undefined;
  if (typeof value === 'string' && at !== undefined) return { state: 'read', at, text: value };
  return { state: 'garbage', shown: JSON.stringify(value).slice(0, SHOWN) };
}

export function timeOf(field: TimeField): Instant | undefined {
  return field.state === 'read' ? field.at : undefined;
}

/** The text of an instant, in the spelling that the object already has for it: another spelling is no change. */
export function spellTime(at: Instant | undefined, before: TimeField): string | undefined {
  if (at === undefined) return undefined;
  return before.state === 'read' && before.at === at ? before.text : formatInstant(at);
}
