import type { OpenRule } from '#admission/tally.ts';
import { admissionCheck } from '#cli/admission-findings.ts';
import { checkContext } from '#cli/check-context.ts';
import { checkObject, kindOf } from '#cli/check-object.ts';
import type { ValidateFlags, ValidateFormat } from '#cli/command/validate.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { findingRenderers } from '#cli/finding-reports.ts';
import { hasInput, readInput } from '#cli/input.ts';
import type { Io } from '#cli/io.ts';
import { withObsoleteAsErrors } from '#cli/obsolete-version.ts';
import { documentRenderers } from '#cli/print.ts';
import { readPolicies } from '#cli/read-policies.ts';
import { type Renderers, writeReports } from '#cli/reports.ts';
import { readSettings } from '#cli/settings.ts';
import { sourceLines } from '#cli/source-lines.ts';
import { textOptions } from '#cli/style.ts';
import { nowOf } from '#cli/tick.ts';
import { missingInput } from '#cli/usage-error.ts';
import { workspacePrefix } from '#cli/workspace.ts';
import { type DiagnosticDocument, toDiagnosticDocument } from '#core/change/diagnostic-document.ts';
import { compareDiagnostics, type Diagnostic, type Severity, toldByObject } from '#core/diagnostic.ts';
import { compareText } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { isOfType, type ResourceType } from '#core/object/resource.ts';
import { observedOf } from '#core/referents.ts';
import { typesOf } from '#core/types-of.ts';
import { rulesEvaluatedText } from '#render/admission-text.ts';
import { diagnosticsText } from '#render/diagnostic-text.ts';
import { escapeText } from '#render/escape-text.ts';
import { plural } from '#render/plural.ts';
import { fromRoot, repositoryPaths } from '#render/repository-path.ts';
import { DEFAULT_TEXT, type TextOptions } from '#render/text-options.ts';

/** Objects of one kind that nobody here knows. */
interface OtherKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly count: number;
}

interface Checked {
  readonly objects: number;
  readonly schedules: number;
  readonly others: readonly OtherKind[];
  /** Rules of a server: how many were asked, and which could not be. */
  readonly rules: { readonly evaluated: number; readonly notEvaluated: readonly OpenRule[] };
  readonly diagnostics: readonly Diagnostic[];
}

function otherKinds(sources: readonly SourcedObject[], types: readonly ResourceType[]): readonly OtherKind[] {
  const counts = new Map<string, OtherKind>();
  for (const { object } of sources) {
    const { apiVersion, kind } = object;
    if (types.some((type) => isOfType(object, type))) continue;
    const id = `${apiVersion} ${kind}`;
    counts.set(id, { apiVersion, kind, count: (counts.get(id)?.count ?? 0) + 1 });
  }
  return [...counts].sort(([a], [b]) => compareText(a, b)).map(([, other]) => other);
}

function closingText({ objects, schedules, others }: Checked): string {
  const counts = others.map(
    ({ apiVersion, kind, count }) => `${escapeText(`${kind} (${apiVersion})`)} ${count}`,
  );
  const unknown = others.reduce((sum, { count }) => sum + count, 0);
  const note =
    unknown === 0
      ? ''
      : `; ${plural(unknown, 'object')} of other kinds only by their metadata: ${counts.join(', ')}`;
  return `Checked ${plural(schedules, 'schedule')} of ${plural(objects, 'object')}${note}.\n`;
}

interface ValidateDocument extends Omit<Checked, 'diagnostics'> {
  readonly formatVersion: 1;
  readonly counts: Readonly<Record<`${Severity}s`, number>>;
  readonly diagnostics: readonly DiagnosticDocument[];
}

function toDocument({ diagnostics, ...checked }: Checked): ValidateDocument {
  const count = (severity: Severity): number => diagnostics.filter((one) => one.severity === severity).length;
  return {
    formatVersion: 1,
    ...checked,
    counts: { errors: count('error'), warnings: count('warning'), notes: count('note') },
    diagnostics: diagnostics.map(toDiagnosticDocument),
  };
}

/** Checks manifests offline; here the diagnostics are the data. */
export async function validate(flags: ValidateFlags, io: Io): Promise<ExitCode> {
  if (!hasInput(flags)) return missingInput(io, 'validate');
  const read = await readSettings(flags, 'manifests', io);
  if (read === undefined) return EXIT.usage;
  const { settings, kinds, drivers } = read;
  const input = await readInput(flags, io, read);
  const schedules = input.objects.filter((source) => kindOf(source, kinds) !== undefined);
  const types = typesOf(kinds, drivers);
  const context = await checkContext({
    kinds,
    drivers,
    settings,
    now: nowOf(flags, io),
    observed: observedOf(input.objects),
    objects: input.objects,
    checked: input.objects,
  });
  const found = input.objects.flatMap((source) => checkObject(source, context));
  const given = await readPolicies(flags.policies ?? [], io);
  const admission = admissionCheck({
    objects: input.objects,
    given: given.objects,
    types,
  });
  const told = toldByObject(found);
  const broken = input.objects.flatMap((source) => admission.check(source, told));
  const diagnostics = [
    ...withObsoleteAsErrors(input.diagnostics),
    ...given.diagnostics,
    ...found,
    ...broken,
    ...admission.unbound,
  ].sort(compareDiagnostics);
  const { length: objects } = input.objects;
  const others = otherKinds(input.objects, types);
  const rules = { evaluated: admission.tally.count(), notEvaluated: admission.tally.openRules() };
  const checked = { objects, schedules: schedules.length, others, rules, diagnostics };
  const lineOf = await sourceLines(diagnostics, io, input.stdin);
  const textWith = (options: TextOptions): string =>
    diagnosticsText(diagnostics, { ...options, lineOf }) + closingText(checked);
  const reports = flags.report ?? [];
  const renderers: Renderers<ValidateFormat> = {
    ...documentRenderers({ document: () => toDocument(checked), text: () => textWith(DEFAULT_TEXT) }),
    ...findingRenderers({
      verb: 'validate',
      diagnostics: fromRoot(diagnostics, io.cwd),
      objects: input.objects,
      pathOf: repositoryPaths({ root: io.cwd, ...workspacePrefix(io) }),
      reports,
    }),
  };
  const { output } = flags;
  io.stdout.write(
    output === 'text' ? textWith(textOptions(io.stdout, io, flags)) : await renderers[output](),
  );
  io.stderr.write(rulesEvaluatedText(rules.evaluated, rules.notEvaluated));
  if (!(await writeReports(reports, renderers, io))) return EXIT.failed;
  const failing = flags.strict ? ['error', 'warning'] : ['error'];
  return diagnostics.some(({ severity }) => failing.includes(severity)) ? EXIT.partly : EXIT.done;
}
