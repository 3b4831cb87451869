/** A word that can stand where the cursor is, in place of all that was typed of it. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

export type PathKind = 'files' | 'folders';

/** What is offered for the last word of a command line. */
export interface Offer {
  readonly candidates: readonly Candidate[];
  /** The shell offers its own paths as well, for what stands behind the first `behind` characters of the word. */
  readonly paths?: { readonly kind: PathKind; readonly behind: number };
}

export const NOTHING: Offer = { candidates: [] };

/** Those that what was typed can still become. */
export function startingWith(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ word }) => word.startsWith(typed));
}
