import { keyText } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { escapeText } from '#render/escape-text.ts';

/** `CronJob harbor/nightly`, safe to print. */
export function objectText(key: ObjectKey): string {
  return escapeText(keyText(key));
}
