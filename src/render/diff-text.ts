import { type FieldDiff, pointerKeys } from '#core/change/diff.ts';
import { canonicalJson, isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { memberAt } from '#core/object/value-at.ts';
import { escapeText } from '#render/escape-text.ts';
import { cut } from '#render/wrap.ts';

const MOST_SHOWN = 160;
const NONE = '(none)';

function conditionText(status: string, { reason, message }: JsonObject): string {
  const why = typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
  return `${status}${why}${typeof message === 'string' && message !== '' ? `: ${message}` : ''}`;
}

/** Conditions and references in the words that matter; `lastTransitionTime` and versions are in the JSON. */
function shortText(item: Json): string {
  if (!isObject(item)) return typeof item === 'string' && item !== '' ? item : canonicalJson(item);
  const { type, status, kind, name, at } = item;
  if (typeof type === 'string' && typeof status === 'string') return conditionText(status, item);
  if (typeof at === 'string') return slotText(at, item);
  if (typeof name === 'string') return typeof kind === 'string' ? `${kind} ${name}` : name;
  return canonicalJson(item);
}

/** A recorded slot: the instant, and in brackets what it was computed with or what it produced. */
function slotText(at: string, item: JsonObject): string {
  const { at: _at, ...rest } = item;
  const parts = Object.entries(rest).map(([key, value]) => `${key} ${shortText(value)}`);
  return parts.length === 0 ? at : `${at} (${parts.sort().join(', ')})`;
}

/** Of several conditions at once only how they stand. */
function itemText(item: Json): string {
  const { type, status } = isObject(item) ? item : {};
  return typeof type === 'string' && typeof status === 'string' ? `${type}=${status}` : shortText(item);
}

/** A value in the words that matter, on one line and cut. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return NONE;
  const isList = Array.isArray(value) && value.length > 0;
  const text = isList ? value.map(value.length > 1 ? itemText : shortText).join(', ') : shortText(value);
  return cut(escapeText(text), MOST_SHOWN);
}

function itemName(item: Json | undefined, key: string): string {
  if (!isObject(item)) return `[${key}]`;
  const name = typeof item.type === 'string' ? item.type : item.name;
  return `[${typeof name === 'string' ? name : key}]`;
}

/** `conditions[Active].message` for `/status/conditions/0/message`. */
function readablePath(pointer: string, root: Json): string {
  let value: Json | undefined = root;
  let text = '';
  for (const key of pointerKeys(pointer)) {
    const isItem = Array.isArray(value);
    value = memberAt(value, key);
    if (isItem) text += itemName(value, key);
    else text += text === '' ? key : `.${key}`;
  }
  return escapeText(text.replace(/^status\./, ''));
}

/** `lastScheduleTime: 2026-11-28T03:00:00Z → 2026-11-29T03:00:00Z`. */
export function diffText(diff: FieldDiff, before: Json, after: Json): string {
  const path = readablePath(diff.path, diff.after === undefined ? { status: before } : { status: after });
  return `${path}: ${valueText(diff.before)} → ${valueText(diff.after)}`;
}
