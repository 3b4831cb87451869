import type { FlagParametersForType } from '@stricli/core';
import type { Context } from './context.ts';

/** Findings in the forms that pipelines read. */
export const FINDING_FORMATS = ['sarif', 'junit', 'github'] as const;

export type FindingFormat = (typeof FINDING_FORMATS)[number];

/** A file that is written beside what is printed. */
export interface ReportRequest<Format extends string = string> {
  readonly format: Format;
  /** Relative to the working directory. */
  readonly path: string;
}

export interface ReportFlags<Format extends string = string> {
  readonly report?: readonly ReportRequest<Format>[];
}

function readReport<Format extends string>(text: string, formats: readonly Format[]): ReportRequest<Format> {
  const [, name = '', path = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const format = formats.find((one) => one === name);
  const words = formats.join(', ');
  if (format === undefined) throw new Error(`is no report: write FORMAT=FILE, with a FORMAT of ${words}`);
  if (path === '' || path === '-')
    throw new Error(`names no file: write ${format}=FILE; what is printed is chosen by -o`);
  return { format, path };
}

/** `--report sarif=out.sarif`, for the formats that a verb has. */
export function reportFlags<const Format extends string>(
  formats: readonly Format[],
): FlagParametersForType<ReportFlags<Format>, Context> {
  return {
    report: {
      kind: 'parsed',
      parse: (text: string) => readReport(text, formats),
      variadic: true,
      optional: true,
      proposeCompletions: () => formats.map((format) => `${format}=`),
      placeholder: 'FORMAT=FILE',
      brief: 'Write it to a file, too, in a form of -o; may be repeated',
    },
  };
}

/** `-o FORMAT` of a verb that has many: the list is in the brief, so that the other flags keep their room. */
export function formatFlag<const Format extends string>(
  formats: readonly [Format, ...Format[]],
): {
  readonly kind: 'parsed';
  readonly parse: (text: string) => Format;
  readonly proposeCompletions: () => readonly string[];
  readonly default: string;
  readonly placeholder: string;
  readonly brief: string;
} {
  const words = formats.join(', ');
  return {
    kind: 'parsed',
    parse: (text) => {
      const format = formats.find((one) => one === text);
      if (format === undefined) throw new Error(`is no form of output: write one of ${words}`);
      return format;
    },
    proposeCompletions: () => formats,
    default: formats[0],
    placeholder: 'FORMAT',
    brief: `Form of what is printed: ${words} (${formats[0]} unless set)`,
  };
}
