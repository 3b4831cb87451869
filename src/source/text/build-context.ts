import type { Limits } from '#source/limits.ts';
import type { ScalarRules } from '#source/yaml/scalar.ts';
import { type Built, builtScalar } from './built.ts';
import type { PlaceAt } from './line-index.ts';
import type { Fault, Problem, Report, Spot } from './problem.ts';

/** An anchor whose node is still being read has no value: an alias to it would contain itself. */
export interface Anchor {
  built?: Built;
}

/** What the nodes of one document share while they become data. */
export interface BuildContext {
  /** Of the document alone. */
  readonly text: string;
  /** Offset of the document in its file. */
  readonly start: number;
  readonly limits: Limits;
  readonly scalars: ScalarRules;
  readonly placeAt: PlaceAt;
  readonly report: Report;
  readonly anchors: Map<string, Anchor>;
  readonly path: (string | number)[];
  /** What aliases have added to the file so far; see `Limits.aliasExpansion`. */
  expansion: number;
  exhausted: boolean;
}

export function spotAt(context: BuildContext, at: number): Spot {
  return { at, path: [...context.path] };
}

const BEFORE_VALUE = 300;

/** Where the tag of a value stands, which is in front of it; an anchor may be between the two. */
export function tagAt({ text, start }: BuildContext, valueAt: number): number {
  const from = Math.max(0, valueAt - start - BEFORE_VALUE);
  const found = /(?<=^|[\s,[{])!\S*(?:\s+&\S+)?\s*$/.exec(text.slice(from, valueAt - start));
  return found === null ? valueAt : start + from + found.index;
}

/** Reports why a node has no value, and goes on with null: a document with an error is never used. */
export function refuse(context: BuildContext, at: number, { code, what, why, fix }: Fault): Built {
  const reason = { ...(why === undefined ? {} : { why }), ...(fix === undefined ? {} : { fix }) };
  context.report({ code, severity: 'error', what, ...reason, ...spotAt(context, at) });
  return builtScalar(null, at);
}

export function reportIf(context: BuildContext, problem: Problem | undefined): void {
  if (problem !== undefined) context.report(problem);
}

/** A problem found by its offset in the document, reported by its offset in the file. */
export function reportInDocument(context: BuildContext, problem: Problem): void {
  context.report({ ...problem, at: problem.at + context.start, path: [...context.path] });
}
