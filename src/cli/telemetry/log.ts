import type { Io, Output } from '#cli/io.ts';
import { VERSION } from '#cli/version-number.ts';
import type { Diagnostic, Severity } from '#core/diagnostic.ts';
import type { TickRecord } from '#core/tick-record.ts';
import { changeLines } from '#render/log/change-lines.ts';
import { diagnosticLine, messageLine } from '#render/log/diagnostic-line.ts';
import { type AnyLine, lineText } from '#render/log/log-line.ts';
import { tickLine } from '#render/log/tick-line.ts';
import { tickText } from '#render/log/tick-text.ts';
import type { JournalFlags } from './journal.ts';
import type { LogFormat } from './wish.ts';

/** The log of a tick in the form that was chosen. */
export interface Log {
  readonly io: Io;
  readonly isJson: () => boolean;
  readonly choose: (format: LogFormat | undefined) => void;
  readonly end: (record: TickRecord) => void;
}

/** A pod has no reader at a terminal, but for `kubectl run -it`; whoever asks for a document gets that. */
function isPod({ env, stdout }: Io, { output }: JournalFlags): boolean {
  return Boolean(env['KUBERNETES_SERVICE_HOST']) && !stdout.isTerminal && output === 'text';
}

export function openLog(flags: JournalFlags, io: Io): Log {
  let format = flags['log-format'];
  const told: Record<Severity, number> = { error: 0, warning: 0, note: 0 };
  const isDocument = flags.output !== 'text';
  const isJson = (): boolean => {
    if (flags['dry-run'] === 'client') return false;
    return format === 'json' || (format !== 'text' && isPod(io, flags));
  };
  const write = (line: AnyLine): void => {
    const time = new Date(io.clock()).toISOString();
    // A document has stdout to itself.
    (isDocument ? io.stderr : io.stdout).write(lineText(time, line));
  };
  /** A text of several lines is one line of the log. */
  const spoken = (output: Output): Output => ({
    ...output,
    write: (text) => (isJson() ? write(messageLine(text)) : output.write(text)),
  });
  const takeDiagnostics = (diagnostics: readonly Diagnostic[]): void => {
    for (const diagnostic of diagnostics) {
      told[diagnostic.severity] += 1;
      write(diagnosticLine(diagnostic));
    }
  };
  const logged: Io = {
    ...io,
    stdout: isDocument ? io.stdout : spoken(io.stdout),
    stderr: spoken(io.stderr),
    get onDiagnostics() {
      return isJson() ? takeDiagnostics : undefined;
    },
  };
  return {
    io: logged,
    isJson,
    choose: (chosen) => {
      format = chosen;
    },
    end: (record) => {
      const dryRun = flags['dry-run'] === 'server';
      if (isJson()) {
        const { outcome } = record;
        if (outcome !== undefined) for (const line of changeLines(outcome.report)) write(line);
        return write(tickLine(record, { version: VERSION, dryRun, told }));
      }
      // A person wants to know how long it took; a golden output must not.
      const text = io.stderr.isTerminal || format === 'text' ? tickText(record) : undefined;
      if (text !== undefined) io.stderr.write(text);
    },
  };
}
