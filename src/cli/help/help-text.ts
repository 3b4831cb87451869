import type { Command, RouteMap } from '@stricli/core';
import type { Context, FlagParameter, Positional } from '#cli/context.ts';
import { VERB_GROUPS } from '#cli/verbs.ts';
import { hanging } from '#render/wrap.ts';
import { type Example, PROGRAM_EXAMPLES, VERB_EXAMPLES } from './examples.ts';
import { EXIT_CODES, type ExitCodes } from './exit-codes.ts';
import { type Groupable, groupFlags } from './flag-groups.ts';
import { paragraphs } from './reflow.ts';
import { columns, HELP_WIDTH, leftWidth, type Row } from './rows.ts';
import { environmentRows, fileRows } from './surroundings.ts';

interface FlagRow extends Groupable {
  readonly row: Row;
}

const HELP_ROW: FlagRow = { name: 'help', isRequired: false, row: ['-h, --help', 'Print this help'] };

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

function isRequired(flag: FlagParameter): boolean {
  if (flag.kind === 'boolean' || flag.kind === 'counter') return false;
  return flag.optional !== true && flag.default === undefined;
}

function flagRows({ flags = {}, aliases = {} }: Command<Context>['parameters']): readonly FlagRow[] {
  const letters = new Map(Object.entries(aliases).map(([letter, name]) => [name, letter]));
  return Object.entries(flags).map(([name, flag]) => {
    const letter = letters.get(name);
    const short = letter === undefined ? '    ' : `-${letter}, `;
    return {
      name,
      isRequired: isRequired(flag),
      row: [`${short}--${name}${placeholderOf(flag)}`, flag.brief + defaultOf(flag)],
    };
  });
}

function flagSections(rows: readonly FlagRow[]): readonly string[] {
  const left = leftWidth(rows.map(({ row }) => row));
  return groupFlags(rows).map(({ title, rows: group }) => {
    const shown = group.map(({ row }) => row);
    return `${title}:\n${columns(shown, left)}`;
  });
}

function argumentsOf(positional: Positional | undefined): string {
  if (positional?.kind !== 'array') return '';
  const name = positional.parameter.placeholder ?? 'ARGUMENT';
  return (positional.minimum ?? 0) > 0 ? ` ${name}` : ` [${name}]`;
}

function exampleSection(examples: readonly Example[], program: string): string {
  const shown = examples.map(({ about, before = [], line, after = [] }) =>
    [`# ${about}`, ...before, `${program} ${line}`, ...after].map((one) => `  ${one}`).join('\n'),
  );
  return `Examples (in a clone of the repository: npx ${program} …):\n${shown.join('\n\n')}`;
}

function section(title: string, rows: readonly Row[]): readonly string[] {
  return rows.length === 0 ? [] : [`${title}:\n${columns(rows)}`];
}

function exitCodeSection(codes: ExitCodes): string {
  const shown = Object.entries(codes).map(([code, when]) =>
    hanging(`  ${code.padEnd(2)}  `, when, HELP_WIDTH),
  );
  return `Exit codes:\n${shown.join('\n')}`;
}

function usageOf({ parameters }: Command<Context>, prefix: string): string {
  const flags = parameters.flags ?? {};
  const given = 'filename' in flags ? '-f PATH' : '';
  // A verb that can read a cluster does without manifests.
  const input = given === '' ? '' : ` ${'kubeconfig' in flags ? `[${given}]` : given}`;
  const required = Object.entries(flags).flatMap(([name, flag]) =>
    isRequired(flag) ? [` --${name}${placeholderOf(flag)}`] : [],
  );
  return `Usage: ${prefix}${argumentsOf(parameters.positional)}${required.join('')}${input} [flags]`;
}

/** Each part is a block of its own, with an empty line between. */
function page(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function commandHelp(command: Command<Context>, program: string, verb: string): string {
  const { positional, flags = {} } = command.parameters;
  const named = new Set(Object.keys(flags));
  const { placeholder = '', brief = '' } = positional?.kind === 'array' ? positional.parameter : {};
  return page([
    `${command.brief}.`,
    usageOf(command, `${program} ${verb}`),
    exampleSection(VERB_EXAMPLES[verb] ?? [], program),
    paragraphs(command.fullDescription ?? ''),
    ...section('Argument', positional?.kind === 'array' ? [[placeholder, brief]] : []),
    ...flagSections([...flagRows(command.parameters), HELP_ROW]),
    ...section('Environment', environmentRows(named)),
    ...section('Files', fileRows(named)),
    exitCodeSection(EXIT_CODES[verb] ?? {}),
  ]);
}

function programHelp(root: RouteMap<Context>, program: string): string {
  const groups = VERB_GROUPS.map(({ title, verbs }) => ({
    title,
    rows: Object.entries(verbs).map(([verb, command]): Row => [verb, command().brief]),
  }));
  const left = leftWidth(groups.flatMap(({ rows }) => rows));
  return page([
    paragraphs(root.fullDescription ?? `${root.brief}.`),
    `Usage: ${program} VERB [flags]`,
    exampleSection(PROGRAM_EXAMPLES, program),
    ...groups.map(({ title, rows }) => `${title}:\n${columns(rows, left)}`),
    `Run "${program} VERB --help" for examples, the flags of a verb and its exit codes.`,
  ]);
}

/** The help of a verb, or of the program: what it is for, examples, then everything that can be given. */
export function helpText(
  target: Command<Context> | RouteMap<Context>,
  [program = '', verb = '']: readonly string[],
): string {
  return 'parameters' in target ? commandHelp(target, program, verb) : programHelp(target, program);
}
