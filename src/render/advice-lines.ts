import type { DiagnosticDocument } from '#core/change/diagnostic-document.ts';

/** What a finding says below its first line, not yet escaped. */
export function adviceLines({ why, fix }: Pick<DiagnosticDocument, 'why' | 'fix'>): readonly string[] {
  return [...(why === undefined ? [] : [`why: ${why}`]), ...(fix === undefined ? [] : [`fix: ${fix}`])];
}
