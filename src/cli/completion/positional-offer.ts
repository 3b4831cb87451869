import type { Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import type { Io } from '#cli/io.ts';
import type { Given } from './given.ts';
import { type Candidate, NOTHING, type Offer, startingWith } from './offer.ts';

type Positional = Command<Context>['parameters']['positional'];

/** Where the word at the cursor is. */
interface Cursor {
  readonly typed: string;
  readonly io: Io;
}

function offerOf(words: readonly string[], typed: string): Offer {
  return {
    candidates: startingWith(
      typed,
      words.map((word): Candidate => ({ word, about: '' })),
    ),
  };
}

/** Names of what the manifests on the same line hold: reading a cluster would take a key press too long. */
async function namesOffer(word: string, given: Given, { typed, io }: Cursor, before: string): Promise<Offer> {
  const { namesOf } = await import('./names.ts');
  return offerOf(
    (await namesOf(word, given, io)).map((name) => before + name),
    typed,
  );
}

/** What is offered where no flag is: kinds, names of objects, or the fixed words of a verb. */
export async function positionalOffer(positional: Positional, given: Given, cursor: Cursor): Promise<Offer> {
  if (positional?.kind !== 'array') return NOTHING;
  const { typed } = cursor;
  const { words } = given;
  if (words.length >= (positional.maximum ?? Number.POSITIVE_INFINITY)) return NOTHING;
  const [kind] = words;
  if (kind !== undefined) return kind.includes('/') ? NOTHING : namesOffer(kind, given, cursor, '');
  const slash = typed.indexOf('/');
  if (slash >= 0) return namesOffer(typed.slice(0, slash), given, cursor, typed.slice(0, slash + 1));
  const proposed = await positional.parameter.proposeCompletions?.call({} as Context, typed);
  return offerOf(proposed ?? [], typed);
}
