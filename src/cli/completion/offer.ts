import type { Context } from '#cli/context.ts';

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

/**
 * Words that need no explanation.
 * @param before what stands before each of them in the same word, and is part of what was typed
 */
export function wordsOffer(typed: string, words: readonly string[], before = ''): Offer {
  const candidates = words.map((word): Candidate => ({ word: before + word, about: '' }));
  return { candidates: startingWith(typed, candidates) };
}

/** A flag or an argument that may propose words for itself. */
interface Proposing {
  readonly proposeCompletions?:
    | ((this: Context, typed: string) => readonly string[] | Promise<readonly string[]>)
    | undefined;
}

/** None of the proposals here asks anything of the context. */
export async function proposedWords(parameter: Proposing, typed: string): Promise<readonly string[]> {
  return (await parameter.proposeCompletions?.call({} as Context, typed)) ?? [];
}
