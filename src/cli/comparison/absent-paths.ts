import type { Diagnostic } from '#core/diagnostic.ts';
import { isError } from '#core/diagnostic.ts';
import { notThere } from '#source/files/file-fault.ts';
import { revisionOf, type SideSource } from './side.ts';
import type { SideInput } from './side-input.ts';

const ROLES = {
  base: { name: 'base', change: 'adds' },
  head: { name: 'head', change: 'removes' },
} as const;
type Role = (typeof ROLES)[keyof typeof ROLES];

function pathsOf(source: SideSource): readonly string[] {
  switch (source.kind) {
    case 'cluster':
      return [];
    case 'paths':
    case 'revision':
      return source.paths;
    case 'kustomization':
      return [source.dir];
  }
}

function whereOf(source: SideSource): string {
  const revision = revisionOf(source);
  return revision === undefined ? 'the files as they are' : `git:${revision}`;
}

function verdictOn(path: string, { name, change }: Role, side: SideInput, other: SideInput): Diagnostic {
  const where = whereOf(side.source);
  if (other.input.absent.includes(path)) return notThere(path, 'check the path: neither side has it');
  // A cluster has no paths: what was misspelt would pass for manifests that are all gone.
  if (other.source.kind === 'cluster') return notThere(path, `check the path: ${where} does not have it`);
  const what = `${path} is not in the ${name} (${where})`;
  const known = { code: 'PathAbsent', severity: 'warning' } as const;
  return pathsOf(other.source).includes(path)
    ? { ...known, what: `${what}: the change ${change} it` }
    : { ...known, what, fix: `check the path, unless the change ${change} it` };
}

function judged(side: SideInput, role: Role, other: SideInput): SideInput {
  const { input } = side;
  const found = [...new Set(input.absent)].map((path) => verdictOn(path, role, side, other));
  const isMissed = found.some(isError);
  return {
    ...side,
    input: {
      ...input,
      diagnostics: [...input.diagnostics, ...found],
      complete: input.complete && !isMissed,
      failedReads: input.failedReads || isMissed,
    },
  };
}

/**
 * Each path by itself: what one side alone has was added or removed by the change, so that there is nothing of it on
 * the other side, which is told; what neither has is misspelt, and no change.
 */
export function withAbsentPaths(base: SideInput, head: SideInput): readonly [SideInput, SideInput] {
  return [judged(base, ROLES.base, head), judged(head, ROLES.head, base)];
}
