import { toDiagnosticDocument } from '#core/change/diagnostic-document.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import { codeSpan } from './code.ts';
import { escapeMarkdown } from './escape-markdown.ts';

/** A finding as one item of a list, with what looks secret masked. */
export function diagnosticItem(diagnostic: Diagnostic): string {
  const { severity, code, what, why, fix, place } = toDiagnosticDocument(diagnostic);
  const where = place === undefined ? '' : `${codeSpan(`${place.file}:${place.line}:${place.column}`)}: `;
  const details = [
    ...(why === undefined ? [] : [`why: ${escapeMarkdown(why)}`]),
    ...(fix === undefined ? [] : [`fix: ${escapeMarkdown(fix)}`]),
  ];
  const rest = details.map((line) => `<br>${line}`).join('');
  return `- ${where}**${severity}** ${code}: ${escapeMarkdown(what)}${rest}\n`;
}
