import type { Diagnostic } from '#core/diagnostic.ts';
import { keyOf } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { CheckedObject } from '#render/junit.ts';
import type { PathOf } from '#render/repository-path.ts';
import type { FindingFormat, ReportRequest } from './report-flag.ts';
import type { Renderers } from './reports.ts';
import { VERSION } from './version-number.ts';

export interface Findings {
  readonly verb: string;
  readonly diagnostics: readonly Diagnostic[];
  /** What is worth reading at its line and is no fault: it opens no alert. */
  readonly notices?: readonly Diagnostic[];
  /** Everything that was looked at, with or without findings. */
  readonly objects: readonly SourcedObject[];
  readonly pathOf: PathOf;
  /** What is written to files in the same run. */
  readonly reports: readonly ReportRequest[];
}

function checkedOf({ object, placeOf }: SourcedObject): CheckedObject {
  const file = placeOf?.([]).file;
  return { object: keyOf(object), ...(file === undefined ? {} : { file }) };
}

/** GitHub shows few annotations; a file of the same run that has all findings is where the others are. */
function fullReportOf({ reports, notices = [] }: Findings): { readonly fullReport?: string } {
  const partial = notices.length > 0 ? ['github', 'sarif'] : ['github'];
  const whole = reports.find(({ format }) => !partial.includes(format));
  return whole === undefined ? {} : { fullReport: `in ${whole.path}` };
}

/** Findings for the tools of a pipeline. */
export function findingRenderers(findings: Findings): Renderers<FindingFormat> {
  const { verb, diagnostics, notices = [], objects, pathOf } = findings;
  const told = [...diagnostics, ...notices];
  return {
    sarif: async () =>
      (await import('#render/sarif.ts')).sarifText(diagnostics, { verb, pathOf, version: VERSION }),
    junit: async () =>
      (await import('#render/junit.ts')).junitText(told, {
        verb,
        pathOf,
        checked: objects.map(checkedOf),
      }),
    github: async () =>
      (await import('#render/github-annotations.ts')).githubAnnotations(told, {
        pathOf,
        ...fullReportOf(findings),
      }),
  };
}
