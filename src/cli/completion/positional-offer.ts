import type { Positional } from '#cli/context.ts';
import type { Io } from '#cli/io.ts';
import type { Given } from './given.ts';
import { NOTHING, type Offer, proposedWords, wordsOffer } from './offer.ts';

/** Where the word at the cursor is. */
interface Cursor {
  readonly typed: string;
  readonly io: Io;
}

/** Names of what the manifests on the same line hold: reading a cluster would take a key press too long. */
async function namesOffer(word: string, given: Given, { typed, io }: Cursor, before: string): Promise<Offer> {
  const { namesOf } = await import('./names.ts');
  return wordsOffer(typed, await namesOf(word, given, io), before);
}

/** What is offered where no flag is: kinds, names of objects, or the fixed words of a verb. */
export async function positionalOffer(
  positional: Positional | undefined,
  given: Given,
  cursor: Cursor,
): Promise<Offer> {
  if (positional?.kind !== 'array') return NOTHING;
  const { typed } = cursor;
  const { words } = given;
  if (words.length >= (positional.maximum ?? Number.POSITIVE_INFINITY)) return NOTHING;
  const [kind] = words;
  if (kind !== undefined) return kind.includes('/') ? NOTHING : namesOffer(kind, given, cursor, '');
  const slash = typed.indexOf('/');
  if (slash >= 0) return namesOffer(typed.slice(0, slash), given, cursor, typed.slice(0, slash + 1));
  return wordsOffer(typed, await proposedWords(positional.parameter, typed));
}
