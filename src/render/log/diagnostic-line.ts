import { toDiagnosticDocument } from '#core/change/diagnostic-document.ts';
import { maskText, newMask } from '#core/change/mask.ts';
import type { Diagnostic, Severity } from '#core/diagnostic.ts';
import { keyText } from '#core/object/key.ts';
import type { DiagnosticLine, Level, LogLine, MessageLine } from '#render/log/log-line.ts';

function levelOf(severity: Severity): Level {
  switch (severity) {
    case 'error':
      return 'error';
    case 'warning':
      return 'warn';
    case 'note':
      return 'info';
  }
}

export function diagnosticLine(diagnostic: Diagnostic): LogLine<DiagnosticLine> {
  const { severity, object } = diagnostic;
  const document = toDiagnosticDocument(diagnostic);
  const subject = object === undefined ? '' : `${keyText(object)}: `;
  return { level: levelOf(severity), msg: `${subject}${document.what}`, type: 'diagnostic', ...document };
}

const PREFIX = /^(error|warning|note): /;

/** What is said as text beside all data; its first word tells how bad it is. */
export function messageLine(text: string): LogLine<MessageLine> {
  const [prefix = '', severity] = PREFIX.exec(text) ?? [];
  const level = severity === 'error' || severity === 'warning' ? levelOf(severity) : 'info';
  return { level, msg: maskText(text.slice(prefix.length).trimEnd(), newMask()), type: 'message' };
}
