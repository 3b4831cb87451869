import type { DiffFlags, DiffFormat } from '#cli/command/diff.ts';
import { type ComparedSides, compareSides } from '#cli/comparison/compare-sides.ts';
import { isGuardName } from '#cli/comparison/guards.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { findingRenderers } from '#cli/finding-reports.ts';
import type { Io } from '#cli/io.ts';
import { documentRenderers } from '#cli/print.ts';
import { reportDiagnostics } from '#cli/report.ts';
import { type Renderers, writeReports } from '#cli/reports.ts';
import { textOptions } from '#cli/style.ts';
import { workspacePrefix } from '#cli/workspace.ts';
import type { Tripped } from '#core/comparison/comparison.ts';
import { comparisonDiagnostics, comparisonNotices } from '#core/comparison/comparison-diagnostics.ts';
import { toComparisonDocument } from '#core/comparison/comparison-document.ts';
import { type Acknowledgement, trippedGuards } from '#core/comparison/guard.ts';
import { comparisonText } from '#render/comparison/comparison-text.ts';
import { guardText, isUnchanged } from '#render/comparison/totals-lines.ts';
import { escapeText } from '#render/escape-text.ts';
import { escapeMarkdown } from '#render/markdown/escape-markdown.ts';
import { shortened } from '#render/markdown/inert.ts';
import { objectText } from '#render/object-text.ts';
import { repositoryPaths } from '#render/repository-path.ts';
import { DEFAULT_TEXT, type TextOptions } from '#render/text-options.ts';

type Compared = Extract<ComparedSides, { readonly ok: true }>;

/** Characters that the place of the full report may take in a comment. */
const MOST_OF_REPORT = 500;

interface Outcome extends Compared {
  readonly tripped: readonly Tripped[];
}

function codeOf({ comparison, tripped, failedReads }: Outcome, flags: DiffFlags): ExitCode {
  if (failedReads || tripped.length > 0) return EXIT.partly;
  return flags['detailed-exitcode'] && !isUnchanged(comparison) ? EXIT.changes : EXIT.done;
}

function tellGuards(tripped: readonly Tripped[], io: Io): void {
  for (const one of tripped) io.stderr.write(`guard ${guardText(one)}\n`);
  if (tripped.length > 0)
    io.stderr.write('Acknowledge by --acknowledge GUARD[=NAMESPACE/NAME] or minutehand.dev/acknowledge.\n');
}

/** An address is a link that can be followed; anything else is text. */
function linkText(given: string): string {
  const text = shortened(given, MOST_OF_REPORT);
  return /^https?:\/\/[^\s<>\\`]+$/.test(text) ? `<${text}>` : escapeMarkdown(text);
}

/** Only the paths of a revision are those of -f. */
function isPathUnused({ filename = [], base = '', head }: DiffFlags): boolean {
  return filename.length > 0 && head !== undefined && ![base, head].some((word) => word.startsWith('git:'));
}

/** An acknowledgement that is about nothing of the change, with the schedule that was probably meant. */
function unfitText(
  { namespace = '', object, name }: Acknowledgement,
  { schedules, referents }: Compared['comparison'],
): string | undefined {
  const keys = [...schedules, ...referents].map(({ key }) => key).filter((key) => key.name === object);
  if (object === undefined || keys.some((key) => key.namespace === namespace)) return undefined;
  const [meant] = keys;
  const given = escapeText(`${name}=${namespace === '' ? '' : `${namespace}/`}${object}`);
  const fix =
    namespace !== '' || meant === undefined
      ? ''
      : `: write ${escapeText(`${name}=${meant.namespace}/${meant.name}`)}`;
  return `${given} fits no schedule that changes${fix}`;
}

/** Flags that have no effect on these sides. */
function noteIdleFlags({ comparison: { basis } }: Compared, flags: DiffFlags, io: Io): void {
  const names = (flags['fail-on'] ?? []).map(({ name }) => name);
  const blind = names.filter((name) => name === 'cancels' || name === 'prunes');
  if (basis !== 'recorded' && blind.length > 0) {
    const also = basis === 'declared' ? ', and on runs among the manifests' : '';
    io.stderr.write(
      `note: ${blind.join(' and ')} trip only where --statuses or --state tells what ran${also}\n`,
    );
  }
  if (isPathUnused(flags)) io.stderr.write('note: -f has no effect: --base and --head name both sides\n');
  if (flags.prune && (flags.base ?? 'cluster') !== 'cluster')
    io.stderr.write('note: --prune has no effect: the base is no cluster\n');
}

/** Acknowledgements that are misspelt. */
function noteSlips({ comparison }: Compared, flags: DiffFlags, io: Io): void {
  for (const one of flags.acknowledge ?? []) {
    const unfit = unfitText(one, comparison);
    if (unfit !== undefined) io.stderr.write(`note: --acknowledge ${unfit}\n`);
  }
  for (const { key, acknowledged } of comparison.schedules) {
    const odd = acknowledged.filter((word) => !isGuardName(word));
    if (odd.length > 0)
      io.stderr.write(
        `note: ${objectText(key)} acknowledges ${escapeText(odd.join(', '))}, which is no guard\n`,
      );
  }
}

async function comment({ comparison, tripped }: Outcome, flags: DiffFlags): Promise<string> {
  const { comparisonMarkdown } = await import('#render/comparison/comparison-markdown.ts');
  const { 'comment-id': id = 'default', 'comment-limit': limit, 'full-report': fullReport } = flags;
  return comparisonMarkdown(comparison, tripped, {
    id,
    ...(limit === undefined ? {} : { limit }),
    ...(fullReport === undefined ? {} : { fullReport: linkText(fullReport) }),
  }).body;
}

function textOf({ comparison, tripped }: Outcome, options: TextOptions): string {
  return comparisonText(comparison, tripped, options);
}

/** Every file that a manifest of either side stands in. */
function inputsOf({ objects, baseObjects }: Compared): readonly string[] {
  return [...objects, ...baseObjects].flatMap(({ placeOf }) => placeOf?.([]).file ?? []);
}

function renderersOf(outcome: Outcome, flags: DiffFlags, io: Io): Renderers<DiffFormat> {
  const { comparison, tripped, objects, headRevision, baseRevision } = outcome;
  return {
    ...documentRenderers({
      document: () => toComparisonDocument(comparison, tripped),
      text: () => textOf(outcome, DEFAULT_TEXT),
    }),
    ...findingRenderers({
      verb: 'diff',
      diagnostics: comparisonDiagnostics(comparison, tripped, flags.acknowledge ?? []),
      notices: comparisonNotices(comparison),
      objects,
      pathOf: repositoryPaths({
        root: io.cwd,
        ...workspacePrefix(io),
        isBuilt: outcome.isBuilt,
        ...(headRevision === undefined ? {} : { head: headRevision }),
        ...(baseRevision === undefined ? {} : { base: baseRevision }),
      }),
      reports: flags.report ?? [],
    }),
    markdown: () => comment(outcome, flags),
  };
}

/** Shows what a change does to the firings, and trips the guards that were asked for. */
export async function diff(flags: DiffFlags, io: Io): Promise<ExitCode> {
  const compared = await compareSides(flags, io);
  if (!compared.ok) return compared.code;
  const tripped = trippedGuards(flags['fail-on'] ?? [], compared.comparison, flags.acknowledge ?? []);
  const outcome: Outcome = { ...compared, tripped };
  const renderers = renderersOf(outcome, flags, io);
  const { output } = flags;
  io.stdout.write(
    output === 'text' ? textOf(outcome, textOptions(io.stdout, io, flags)) : await renderers[output](),
  );
  const written = await writeReports(flags.report ?? [], renderers, io, inputsOf(compared));
  await reportDiagnostics(compared.diagnostics, { io, flags, stdin: compared.stdin });
  noteIdleFlags(compared, flags, io);
  noteSlips(compared, flags, io);
  tellGuards(tripped, io);
  return written ? codeOf(outcome, flags) : EXIT.failed;
}
