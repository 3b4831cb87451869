import type { FlagParameter } from '#cli/context.ts';
import { NOTHING, type Offer, type PathKind, proposedWords, wordsOffer } from './offer.ts';

/** The words that stand for a value in the help say what it is. */
const PATHS: readonly (readonly [RegExp, PathKind])[] = [
  [/\b(?:FILE|PATH|SIDE|FROM)\b/, 'files'],
  [/\bDIR\b/, 'folders'],
];

function pathsOf(flag: FlagParameter): PathKind | undefined {
  if (flag.kind !== 'parsed') return undefined;
  return PATHS.find(([word]) => word.test(flag.placeholder ?? ''))?.[1];
}

async function wordsOf(flag: FlagParameter, typed: string): Promise<readonly string[]> {
  if (flag.kind === 'enum') return flag.values;
  return flag.kind === 'parsed' ? proposedWords(flag, typed) : [];
}

function isList(flag: FlagParameter): boolean {
  return 'variadic' in flag && flag.variadic === ',';
}

/**
 * What is offered as the value of a flag.
 * @param before what stands before the value in the same word, such as `--output=`
 * @param typed what there is of the value
 */
export async function valueOffer(flag: FlagParameter, before: string, typed: string): Promise<Offer> {
  const done = isList(flag) ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const given = new Set(done.split(','));
  const words = (await wordsOf(flag, typed)).filter((word) => !given.has(word));
  const offer = wordsOffer(before + typed, words, before + done);
  const kind = pathsOf(flag);
  if (kind === undefined) return offer;
  // `sarif=out.sarif`: only what stands behind the sign is a path.
  const isNamed = flag.kind === 'parsed' && (flag.placeholder ?? '').includes('=FILE');
  const sign = isNamed ? typed.indexOf('=') + 1 : 0;
  if (isNamed && sign === 0) return offer;
  return { ...(isNamed ? NOTHING : offer), paths: { kind, behind: [...before].length + sign } };
}
