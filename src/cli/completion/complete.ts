import type { Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import type { Io } from '#cli/io.ts';
import { VERBS } from '#cli/verbs.ts';
import { type Given, givenAround, type Line } from './given.ts';
import { type Candidate, NOTHING, type Offer, startingWith } from './offer.ts';
import { type Parameters, parametersOf } from './parameters.ts';
import { positionalOffer } from './positional-offer.ts';
import { valueOffer } from './value-offer.ts';

const HELP: Candidate = { word: '--help', about: 'Print this help' };

function verbs(): readonly Candidate[] {
  return Object.entries(VERBS).map(([word, command]) => ({ word, about: command().brief }));
}

function firstWord(typed: string): Offer {
  const program = [
    ...verbs(),
    { word: 'help', about: 'Print the help of a verb' },
    HELP,
    { word: '--version', about: 'Print the version' },
  ];
  const isFlag = ({ word }: Candidate): boolean => word.startsWith('-');
  return { candidates: startingWith(typed, program).filter((one) => isFlag(one) === typed.startsWith('-')) };
}

/** Flags that may still be given; letters only where nothing says that a long flag is meant. */
function flagOffer({ flags, letters }: Parameters, given: Given, typed: string): Offer {
  const open = [...flags].filter(([name, flag]) => 'variadic' in flag || !given.flags.has(name));
  const long = open.map(([name, { brief }]): Candidate => ({ word: `--${name}`, about: brief }));
  const short = [...letters].flatMap(([letter, name]): Candidate[] => {
    const about = name === 'help' ? HELP.about : open.find(([one]) => one === name)?.[1].brief;
    return about === undefined ? [] : [{ word: `-${letter}`, about }];
  });
  return { candidates: startingWith(typed, [...long, HELP, ...(typed === '-' ? short : [])]) };
}

/** The value of a flag in the word of the flag: `--output=js`, `-ojs`. */
async function joinedValue(
  { flags, letters, switches }: Parameters,
  typed: string,
): Promise<Offer | undefined> {
  const [, before = '', name = '', value = ''] = /^(--([^=]+)=)(.*)$/s.exec(typed) ?? [];
  const long = flags.get(name);
  if (long !== undefined) return valueOffer(long, before, value);
  const letter = /^-[A-Za-z]./s.test(typed) ? letters.get(typed.charAt(1)) : undefined;
  const short = letter === undefined || switches.has(letter) ? undefined : flags.get(letter);
  return short === undefined ? undefined : valueOffer(short, typed.slice(0, 2), typed.slice(2));
}

async function wordOf(
  command: Command<Context>,
  { before, after, typed, io }: Line & { readonly typed: string; readonly io: Io },
): Promise<Offer> {
  const parameters = parametersOf(command);
  const given = givenAround({ before, after }, parameters);
  const awaited = given.awaited === undefined ? undefined : parameters.flags.get(given.awaited);
  if (awaited !== undefined) return valueOffer(awaited, '', typed);
  const { positional } = command.parameters;
  if (given.onlyWords) return positionalOffer(positional, given, { typed, io });
  const joined = await joinedValue(parameters, typed);
  if (joined !== undefined) return joined;
  if (typed.startsWith('-')) return flagOffer(parameters, given, typed);
  const words = await positionalOffer(positional, given, { typed, io });
  const isOpen = typed === '' && words.candidates.length === 0;
  return isOpen ? flagOffer(parameters, given, typed) : words;
}

/**
 * What can stand where the cursor is.
 * @param words those after the name of the program; the last is the one at the cursor, up to it
 * @param after those behind the cursor
 */
export async function complete(words: readonly string[], after: readonly string[], io: Io): Promise<Offer> {
  const typed = words.at(-1) ?? '';
  const [verb, ...before] = words.slice(0, -1);
  if (verb === undefined) return firstWord(typed);
  if (verb === 'help') return { candidates: before.length === 0 ? startingWith(typed, verbs()) : [] };
  const command = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  return command === undefined ? NOTHING : wordOf(command(), { before, after, typed, io });
}
