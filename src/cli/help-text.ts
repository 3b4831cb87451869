import type { Command, RouteMap } from '@stricli/core';
import type { Context } from './context.ts';

type FlagParameter = NonNullable<Command<Context>['parameters']['flags']>[string];
type Positional = NonNullable<Command<Context>['parameters']['positional']>;

const HELP_ROW = ['  -h, --help', 'Print this help'] as const;

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}   ${right}`.trimEnd()).join('\n');
}

function placeholderOf(flag: FlagParameter): string {
  switch (flag.kind) {
    case 'boolean':
    case 'counter':
      return '';
    case 'enum':
      return ` ${flag.values.join('|')}`;
    case 'parsed':
      return ` ${flag.placeholder ?? 'VALUE'}`;
  }
}

function defaultOf(flag: FlagParameter): string {
  return flag.kind === 'enum' && typeof flag.default === 'string' ? ` (${flag.default} unless set)` : '';
}

function flagRows({
  flags = {},
  aliases = {},
}: Command<Context>['parameters']): (readonly [string, string])[] {
  const letters = new Map(Object.entries(aliases).map(([letter, name]) => [name, letter]));
  return Object.entries(flags).map(([name, flag]) => {
    const letter = letters.get(name);
    const short = letter === undefined ? '    ' : `-${letter}, `;
    return [`  ${short}--${name}${placeholderOf(flag)}`, flag.brief + defaultOf(flag)];
  });
}

function argumentsOf(positional: Positional | undefined): string {
  if (positional?.kind !== 'array') return '';
  const name = positional.parameter.placeholder ?? 'ARGUMENT';
  return (positional.minimum ?? 0) > 0 ? ` ${name}` : ` [${name}]`;
}

function commandHelp(command: Command<Context>, prefix: string): string {
  const { parameters } = command;
  const { positional } = parameters;
  const flags = parameters.flags ?? {};
  const given = 'filename' in flags ? '-f PATH' : '';
  // A verb that can read a cluster does without manifests.
  const input = given === '' ? '' : ` ${'kubeconfig' in flags ? `[${given}]` : given}`;
  const usage = `${prefix}${argumentsOf(positional)}${input} [flags]`;
  const words =
    positional?.kind === 'array'
      ? `\n\n${positional.parameter.placeholder}: ${positional.parameter.brief}.`
      : '';
  const description = command.fullDescription ?? `${command.brief}.`;
  return `Usage: ${usage}${words}\n\n${description}\n\nFlags:\n${columns([...flagRows(parameters), HELP_ROW])}\n`;
}

function verbsHelp(root: RouteMap<Context>, prefix: string): string {
  const verbs = root.getAllEntries().map(({ name, target }) => [`  ${name.original}`, target.brief] as const);
  const more = `Run "${prefix} VERB --help" for the flags of a verb and its exit codes.`;
  return `Usage: ${prefix} VERB [flags]\n\n${root.fullDescription ?? root.brief}\n\nVerbs:\n${columns(verbs)}\n\n${more}\n`;
}

/** The help of a verb, or of the program: the usage line, what it does, its flags with the values that they take. */
export function helpText(target: Command<Context> | RouteMap<Context>, prefix: string): string {
  return 'parameters' in target ? commandHelp(target, prefix) : verbsHelp(target, prefix);
}
