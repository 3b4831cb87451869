import {
  AliasNotFoundError,
  type ApplicationText,
  ArgumentParseError,
  ArgumentScannerError,
  EnumValidationError,
  FlagNotFoundError,
  InvalidNegatedFlagSyntaxError,
  text_en,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
} from '@stricli/core';
import { nearestName } from '#core/nearest-name.ts';
import { escapeText } from '#render/escape-text.ts';
import { PROGRAM } from './program.ts';

function shown(text: string): string {
  return `"${escapeText(text)}"`;
}

function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `one of ${words.join(', ')}`;
}

/** Flags of tools like this one, and what stands for them here. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ['dry-run', `the dry run is a verb, ${PROGRAM} plan: it shows what a tick would do and writes nothing`],
  ['filename', 'this verb reads no manifests'],
  ['prune', `what it would remove is told by ${PROGRAM} reconcile -f PATH --prune --dry-run=client`],
  ['context', 'this verb reads manifests only (-f)'],
  ['kubeconfig', 'this verb reads manifests only (-f)'],
]);

function hintText(flag: string): string | undefined {
  const hint = HINTS.get(flag.replace(/=.*$/s, ''));
  return hint === undefined ? undefined : `; ${hint}`;
}

/** What people write for a flag whose name is another. */
const FOR_FILENAME = ['file', 'files', 'manifest', 'manifests'];

/** The flag that was meant, by its own name or by another one. */
function flagMeant(input: string, flags: readonly string[]): string {
  const told = meantText(input, flags, '--');
  if (told !== '' || !flags.includes('filename') || nearestName(input, FOR_FILENAME) === undefined)
    return told;
  return '; did you mean --filename (-f)?';
}

/** The parser's own proposals are generous: of them the one that is near enough to be meant. */
function meantText(input: string, corrections: readonly string[], prefix: string): string {
  const nearest = nearestName(input, corrections);
  return nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`;
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}

/** `--grace: ` for a flag, `KIND/NAME: ` for an argument; nothing for one of several words, which the message lists. */
function where(name: string): string {
  if (name.includes('|')) return '';
  return /^[a-z]/.test(name) ? `--${name}: ` : `${name}: `;
}

/** The value that was found, what is wrong with it, and what to write. */
function scannerMessage(fault: ArgumentScannerError, takesFiles: boolean): string {
  // By class, not by the library's own look-up: that goes by the names of classes, which a minified bundle changes.
  if (fault instanceof FlagNotFoundError) {
    const { input, corrections } = fault;
    return `unknown flag --${escapeText(input)}${hintText(input) ?? flagMeant(input, corrections)}`;
  }
  if (fault instanceof AliasNotFoundError) return `unknown flag -${escapeText(fault.input)}`;
  if (fault instanceof ArgumentParseError) {
    const { externalFlagNameOrPlaceholder, input, exception } = fault;
    return `${where(externalFlagNameOrPlaceholder)}${shown(input)} ${escapeText(messageOf(exception))}`;
  }
  if (fault instanceof EnumValidationError)
    return `--${fault.externalFlagName} is ${shown(fault.input)}: write ${oneOf(fault.values)}`;
  if (fault instanceof UnsatisfiedFlagError) return `--${fault.externalFlagName} needs a value`;
  return countMessage(fault, takesFiles);
}

/** A flag or an argument too many or too few. */
function countMessage(fault: ArgumentScannerError, takesFiles: boolean): string {
  if (fault instanceof UnexpectedFlagError) {
    const { externalFlagName, previousInput, input } = fault;
    return `--${externalFlagName} is given twice, with ${shown(previousInput)} and ${shown(input)}: keep one`;
  }
  if (fault instanceof UnexpectedPositionalError) {
    const { expectedCount, input } = fault;
    if (expectedCount === 0) {
      const meant = takesFiles ? `; did you mean -f ${escapeText(input)}?` : '';
      return `found the argument ${shown(input)}, and there is none to give${meant}`;
    }
    return expectedCount === 1
      ? `found the argument ${shown(input)} after another: give one`
      : `found the argument ${shown(input)} after ${expectedCount} others: write KIND/NAME`;
  }
  if (fault instanceof UnsatisfiedPositionalError) return `${oneOf(fault.placeholder.split('|'))} is missing`;
  if (fault instanceof InvalidNegatedFlagSyntaxError)
    return `--${fault.externalFlagName} takes no value, found ${shown(fault.valueText)}`;
  return escapeText(fault.message);
}

/**
 * The words of usage errors.
 * @param takesFiles whether the verb that is asked for has -f
 */
export function usageText(takesFiles: boolean): ApplicationText {
  return {
    ...text_en,
    exceptionWhileParsingArguments: (fault) =>
      `error: ${fault instanceof ArgumentScannerError ? scannerMessage(fault, takesFiles) : escapeText(messageOf(fault))}`,
    noCommandRegisteredForInput: ({ input, corrections }) => {
      const verbs = corrections.map((one) => one.replaceAll('`', ''));
      return `error: unknown verb ${shown(input)}${meantText(input, verbs, '')}`;
    },
  };
}
