import { maskText, newMask } from '#core/change/mask.ts';
import { escapeText } from '#render/escape-text.ts';

/** A sentence about objects, with what looks secret in it masked, safe to print. */
export function maskedText(text: string): string {
  return escapeText(maskText(text, newMask()));
}
