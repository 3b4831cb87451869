import { checkObject, kindOf } from '#cli/check-object.ts';
import type { ValidateFlags } from '#cli/command/validate.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { loadExtension } from '#cli/extension.ts';
import { hasInput, readInput } from '#cli/input.ts';
import type { Io } from '#cli/io.ts';
import { print } from '#cli/print.ts';
import { readSettings } from '#cli/settings.ts';
import { sourceLines } from '#cli/source-lines.ts';
import { textOptions } from '#cli/style.ts';
import { nowOf } from '#cli/tick.ts';
import { missingInput } from '#cli/usage-error.ts';
import { type DiagnosticDocument, toDiagnosticDocument } from '#core/change/diagnostic-document.ts';
import { compareDiagnostics, type Diagnostic, type Severity } from '#core/diagnostic.ts';
import { compareText } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { observedOf, referentsOf } from '#core/referents.ts';
import { typesOf } from '#core/types-of.ts';
import { diagnosticsText } from '#render/diagnostic-text.ts';
import { escapeText } from '#render/escape-text.ts';
import { plural } from '#render/plural.ts';

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
  readonly diagnostics: readonly Diagnostic[];
}

function otherKinds(sources: readonly SourcedObject[], types: readonly ResourceType[]): readonly OtherKind[] {
  const counts = new Map<string, OtherKind>();
  for (const { object } of sources) {
    const { apiVersion, kind } = object;
    if (types.some((type) => apiVersionOf(type) === apiVersion && type.kind === kind)) continue;
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
  const read = await readSettings(flags, { ownState: false, isCluster: false }, io);
  if (read === undefined) return EXIT.usage;
  const { settings, kinds, drivers } = read;
  const input = await readInput(flags, io, read);
  const schedules = input.objects.filter((source) => kindOf(source, kinds) !== undefined);
  const context = {
    kinds,
    drivers,
    settings,
    now: nowOf(flags, io),
    extend: await loadExtension(schedules),
    referents: referentsOf(observedOf(input.objects)),
  };
  const found = input.objects.flatMap((source) => checkObject(source, context));
  const diagnostics = [...input.diagnostics, ...found].sort(compareDiagnostics);
  const { length: objects } = input.objects;
  const others = otherKinds(input.objects, typesOf(kinds, drivers));
  const checked = { objects, schedules: schedules.length, others, diagnostics };
  const lineOf = await sourceLines(diagnostics, io, input.stdin);
  const view = {
    document: () => toDocument(checked),
    text: () =>
      diagnosticsText(diagnostics, { ...textOptions(io.stdout, io, flags), lineOf }) + closingText(checked),
  };
  await print(flags.output, view, io);
  return diagnostics.some(({ severity }) => severity === 'error') ? EXIT.partly : EXIT.done;
}
