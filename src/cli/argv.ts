/** How the flags of one verb are spelled; enough to take a command line apart. */
export interface FlagForms {
  /** Flags that take no value. */
  readonly switches: ReadonlySet<string>;
  /** Single letters and the flags that they stand for. */
  readonly letters: ReadonlyMap<string, string>;
}

function longForm(name: string, value: string): readonly string[] {
  // An empty value and one with a line break cannot be joined with `=` for the parser behind this one.
  return value === '' || value.includes('\n') ? [`--${name}`, value] : [`--${name}=${value}`];
}

/** `-Rfdir` is `-R -f dir`: letters of switches, then one that takes the rest as its value. */
function splitLetters(token: string, forms: FlagForms): readonly string[] {
  const out: string[] = [];
  for (let at = 1; at < token.length; at++) {
    const letter = token.charAt(at);
    const name = forms.letters.get(letter);
    if (name === undefined) return [...out, `-${letter}`];
    if (forms.switches.has(name)) {
      out.push(`--${name}`);
      continue;
    }
    const rest = token.slice(at + 1).replace(/^=/, '');
    if (at + 1 === token.length) return [...out, `--${name}`];
    return [...out, ...longForm(name, rest)];
  }
  return out;
}

/**
 * A command line as kubectl reads it (`-ojson`, `-Rf dir`, `--now=`), spelled out in long flags. What is no flag,
 * and everything after `--`, stays as it is.
 */
export function spellOut(argv: readonly string[], forms: FlagForms): readonly string[] {
  const out: string[] = [];
  for (const [index, token] of argv.entries()) {
    if (token === '--') return [...out, ...argv.slice(index)];
    const joint = token.indexOf('=');
    if (token.startsWith('--') && joint > 2) {
      const value = token.slice(joint + 1);
      out.push(...longForm(token.slice(2, joint), value));
    } else if (/^-[A-Za-z]/.test(token)) out.push(...splitLetters(token, forms));
    else out.push(token);
  }
  return out;
}
