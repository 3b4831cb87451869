import type { Context } from '#cli/context.ts';
import { type Candidate, type Offer, type PathKind, startingWith } from './offer.ts';
import type { FlagParameter } from './parameters.ts';

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
  if (flag.kind !== 'parsed') return [];
  // The proposals here ask nothing of the context.
  return (await flag.proposeCompletions?.call({} as Context, typed)) ?? [];
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
  const candidates = words.map((word): Candidate => ({ word: `${before}${done}${word}`, about: '' }));
  const offered = startingWith(before + typed, candidates);
  const kind = pathsOf(flag);
  if (kind === undefined) return { candidates: offered };
  // `sarif=out.sarif`: only what stands behind the sign is a path.
  const isNamed = flag.kind === 'parsed' && (flag.placeholder ?? '').includes('=FILE');
  const sign = isNamed ? typed.indexOf('=') + 1 : 0;
  if (isNamed && sign === 0) return { candidates: offered };
  return { candidates: isNamed ? [] : offered, paths: { kind, behind: [...before].length + sign } };
}
