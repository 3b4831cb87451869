import { type FieldDiff, memberAt, pointerKeys } from '#core/change/diff.ts';
import { canonicalJson, isObject } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';
import { escapeText } from '#render/escape-text.ts';
import { cut } from '#render/wrap.ts';

const MOST_SHOWN = 160;
const NONE = '(none)';

/** Conditions and references in the words that matter; `lastTransitionTime` and versions are in the JSON. */
function shortText(item: Json): string {
  if (!isObject(item)) return typeof item === 'string' && item !== '' ? item : canonicalJson(item);
  const { type, status, reason, message, kind, name } = item;
  if (typeof type === 'string' && typeof status === 'string') {
    const why = typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
    return `${status}${why}${typeof message === 'string' && message !== '' ? `: ${message}` : ''}`;
  }
  if (typeof name === 'string') return typeof kind === 'string' ? `${kind} ${name}` : name;
  return canonicalJson(item);
}

function valueText(value: Json | undefined): string {
  if (value === undefined) return NONE;
  const text = Array.isArray(value) && value.length > 0 ? value.map(shortText).join(', ') : shortText(value);
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
