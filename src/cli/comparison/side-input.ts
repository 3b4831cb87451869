import type { Input } from '#cli/input.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { SideSource } from './side.ts';

/** One side as manifests, and where they came from. */
export interface SideInput {
  readonly source: SideSource;
  readonly input: Input;
}

/** What is found in a revision is told without its name, so that the same fault is the same on both sides. */
export function withoutRevision(
  diagnostics: readonly Diagnostic[],
  source: SideSource,
): readonly Diagnostic[] {
  if (source.kind !== 'revision') return diagnostics;
  const prefix = `${source.revision}:`;
  return diagnostics.map((one) =>
    one.object === undefined ? { ...one, what: one.what.replaceAll(prefix, '') } : one,
  );
}

/** What could not be read and can on the other side may hold what is missing; what neither can read is beside the point. */
export function isComplete({ input, source }: SideInput, other: SideInput): boolean {
  if (input.complete) return true;
  const identity = ({ code, what }: Diagnostic): string => `${code} ${what}`;
  const faultsOf = (one: SideInput): readonly string[] =>
    withoutRevision(one.input.diagnostics, one.source)
      .filter(({ severity }) => severity === 'error')
      .map(identity);
  const known = new Set(faultsOf(other));
  return faultsOf({ input, source }).every((fault) => known.has(fault));
}

function absentPaths({ input, source }: SideInput): readonly Diagnostic[] {
  return withoutRevision(input.diagnostics, source).filter(({ code }) => code === 'PathAbsent');
}

/** A revision of the paths that has all of them: what the files as they are lack of it was removed. */
export function hasAllPaths(base: SideInput): boolean {
  return base.source.kind === 'revision' && absentPaths(base).length === 0;
}

function withErrors(side: SideInput, isMissed: (what: string) => boolean): SideInput {
  const { source, input } = side;
  const told = withoutRevision(input.diagnostics, source);
  const diagnostics = input.diagnostics.map((one, index) =>
    one.code === 'PathAbsent' && isMissed(told[index]?.what ?? '')
      ? { ...one, severity: 'error' as const, fix: 'check the path: neither side has it' }
      : one,
  );
  return { source, input: { ...input, diagnostics, complete: false, failedReads: true } };
}

/** What neither side has is misspelt, and no change. */
export function withMisspelt(base: SideInput, head: SideInput): readonly [SideInput, SideInput] {
  const inBase = new Set(absentPaths(base).map(({ what }) => what));
  const missed = new Set(absentPaths(head).flatMap(({ what }) => (inBase.has(what) ? [what] : [])));
  if (missed.size === 0) return [base, head];
  const isMissed = (what: string): boolean => missed.has(what);
  return [withErrors(base, isMissed), withErrors(head, isMissed)];
}
