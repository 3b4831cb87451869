import { spellOut } from '#cli/argv.ts';
import type { Parameters } from './parameters.ts';

/** What a command line says before the word at the cursor. */
export interface Given {
  readonly flags: ReadonlySet<string>;
  /** Of flags that take one, the values in their order. */
  readonly values: readonly (readonly [flag: string, value: string])[];
  readonly words: readonly string[];
  /** The flag whose value comes next. */
  readonly awaited?: string;
  /** Behind `--` nothing is a flag. */
  readonly onlyWords: boolean;
}

/** Words on both sides of the one at the cursor. */
export interface Line {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Flags count wherever they stand, as they do when the line is run; behind `--` there are none. */
export function givenAround({ before, after }: Line, parameters: Parameters): Given {
  const given = givenOf(spellOut(before, parameters), parameters);
  if (given.onlyWords) return given;
  const { flags, values } = givenOf(spellOut(after, parameters), parameters);
  return { ...given, flags: new Set([...given.flags, ...flags]), values: [...given.values, ...values] };
}

/** @param spelled flags in their long form, as `spellOut` gives them */
function givenOf(spelled: readonly string[], { flags, switches }: Parameters): Given {
  const seen = new Set<string>();
  const values: [string, string][] = [];
  const words: string[] = [];
  let awaited: string | undefined;

  const take = (token: string): void => {
    const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(token) ?? [];
    if (name === undefined) {
      if (!token.startsWith('-')) words.push(token);
      return;
    }
    seen.add(name);
    if (value !== undefined) values.push([name, value]);
    else if (flags.has(name) && !switches.has(name)) awaited = name;
  };

  for (const [index, token] of spelled.entries()) {
    if (awaited !== undefined) {
      values.push([awaited, token]);
      awaited = undefined;
    } else if (token === '--') {
      return { flags: seen, values, words: [...words, ...spelled.slice(index + 1)], onlyWords: true };
    } else take(token);
  }
  return { flags: seen, values, words, onlyWords: false, ...(awaited === undefined ? {} : { awaited }) };
}
