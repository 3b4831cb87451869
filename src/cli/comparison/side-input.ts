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
