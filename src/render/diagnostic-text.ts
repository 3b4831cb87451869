import { compareDiagnostics, type Diagnostic, SEVERITIES, type Severity } from '#core/diagnostic.ts';
import type { Place } from '#core/object/object.ts';
import { codeFrame } from '#render/code-frame.ts';
import { escapeText } from '#render/escape-text.ts';
import { maskedText } from '#render/masked-text.ts';
import { objectText } from '#render/object-text.ts';
import type { Palette, Tone } from '#render/palette.ts';
import { plural } from '#render/plural.ts';
import type { TextOptions } from '#render/text-options.ts';
import { hanging } from '#render/wrap.ts';

export interface DiagnosticTextOptions extends TextOptions {
  /** The source line of a place, where the caller still has it: then a picture of it is shown. */
  readonly lineOf?: (place: Place) => string | undefined;
}

const TONES: Readonly<Record<Severity, Tone>> = { error: 'bad', warning: 'warning', note: 'accent' };
const INDENT = '  ';

function head({ place, severity, code, what }: Diagnostic, palette: Palette): string {
  const where = place === undefined ? '' : `${escapeText(place.file)}:${place.line}:${place.column}: `;
  // One line, unwrapped, so that editors and grep find the place and the text.
  return `${palette.strong(where)}${palette[TONES[severity]](severity)} ${code}: ${maskedText(what)}`;
}

/** `file:line:column: severity Code: what`, then the line itself, the reason, the remedy and the object. */
function diagnosticText(diagnostic: Diagnostic, options: DiagnosticTextOptions): string {
  const { place, why, fix, object } = diagnostic;
  const line = place === undefined ? undefined : options.lineOf?.(place);
  const frame = place === undefined || line === undefined ? [] : codeFrame(line, place, options.width);
  const details = [
    ...(why === undefined ? [] : [['why', maskedText(why)] as const]),
    ...(fix === undefined ? [] : [['fix', maskedText(fix)] as const]),
    ...(object === undefined ? [] : [['object', objectText(object)] as const]),
  ];
  const body = details.map(([label, text]) =>
    hanging(`${INDENT}${`${label}:`.padEnd(8)}`, text, options.width),
  );
  return [
    head(diagnostic, options.palette),
    ...frame.map((row) => INDENT + options.palette.faint(row)),
    ...body,
  ].join('\n');
}

/** `2 errors, 1 warning`; empty without any. */
function severityCounts(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Severity): number => diagnostics.filter((one) => one.severity === severity).length;
  const found = SEVERITIES.filter((severity) => count(severity) > 0);
  return found.map((severity) => plural(count(severity), severity)).join(', ');
}

/** All of them, sorted, with their sum; empty without any. */
export function diagnosticsText(diagnostics: readonly Diagnostic[], options: DiagnosticTextOptions): string {
  if (diagnostics.length === 0) return '';
  const blocks = [...diagnostics].sort(compareDiagnostics).map((one) => diagnosticText(one, options));
  return `${[...blocks, `${severityCounts(diagnostics)}.`].join('\n')}\n`;
}
