import { isObject, sameValue, textMember } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { escapeText } from '#render/escape-text.ts';

function conditionsOf(status: JsonObject): readonly JsonObject[] {
  const { conditions } = status;
  return Array.isArray(conditions) ? (conditions as readonly Json[]).filter(isObject) : [];
}

function standing(condition: JsonObject): string {
  const reason = textMember(condition, 'reason') ?? '';
  return `${textMember(condition, 'status') ?? '?'}${reason === '' ? '' : ` (${reason})`}`;
}

function message(condition: JsonObject): string {
  const text = textMember(condition, 'message') ?? '';
  return text === '' ? '' : `: ${text}`;
}

/** One line for a condition that says something new; undefined where it only tells of another generation. */
function changeLine(before: JsonObject | undefined, after: JsonObject): string | undefined {
  const type = textMember(after, 'type') ?? '?';
  if (before === undefined) return `${type}: ${standing(after)}${message(after)}`;
  if (standing(before) !== standing(after)) {
    return `${type}: ${standing(before)} → ${standing(after)}${message(after)}`;
  }
  return before.message === after.message ? undefined : `${type}: ${standing(after)}${message(after)}`;
}

/** What a status write does to the conditions, in one line each; all of them at once where there were none. */
export function conditionLines(before: JsonObject, after: JsonObject): readonly string[] {
  const known = conditionsOf(before);
  const list = conditionsOf(after);
  if (known.length === 0 && list.length > 1) {
    return [
      `conditions: ${list.map((one) => `${textMember(one, 'type') ?? '?'}=${textMember(one, 'status') ?? '?'}`).join(', ')}`,
    ].map(escapeText);
  }
  const lines: string[] = [];
  const seen: string[] = [];
  for (const condition of list) {
    const type = textMember(condition, 'type');
    const same = known.find((one) => textMember(one, 'type') === type);
    if (same !== undefined && sameValue(same, condition)) continue;
    const line = changeLine(same, condition);
    if (line === undefined) seen.push(escapeText(`${type ?? '?'}=${standing(condition)}`));
    else lines.push(escapeText(line));
  }
  const gone = known.filter((one) => !list.some(({ type }) => type === one.type));
  lines.push(
    ...gone.map((one) => escapeText(`${textMember(one, 'type') ?? '?'}: ${standing(one)} → (none)`)),
  );
  if (seen.length > 0) lines.push(`brought up to date: ${seen.join(', ')}`);
  return lines;
}
