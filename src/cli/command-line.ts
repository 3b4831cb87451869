import { run, ExitCode as StricliCode, type StricliProcess } from '@stricli/core';
import { application } from './application.ts';
import { type FlagForms, spellOut } from './argv.ts';
import type { Context, Invocation } from './context.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import { PROGRAM } from './program.ts';

/** The letters of all verbs; none of them means two things. */
const FORMS: FlagForms = {
  switches: new Set(['recursive', 'all-namespaces', 'help']),
  letters: new Map([
    ['f', 'filename'],
    ['R', 'recursive'],
    ['n', 'namespace'],
    ['A', 'all-namespaces'],
    ['l', 'selector'],
    ['o', 'output'],
    ['h', 'help'],
  ]),
};

/** `minutehand help plan` is `minutehand plan --help`, and `--version` is the verb. */
function withHelp(argv: readonly string[]): readonly string[] {
  if (argv[0] === '--version') return ['version', ...argv.slice(1)];
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
}

/** Every code of the parser that is not success is the user's command line, but for faults of this program. */
function usageCode(code: number, io: Io, argv: readonly string[]): ExitCode {
  if (code === StricliCode.Success) return EXIT.done;
  if (code !== StricliCode.InvalidArgument && code !== StricliCode.UnknownCommand) return EXIT.failed;
  const verb = code === StricliCode.InvalidArgument && argv[0] !== undefined ? ` ${argv[0]}` : '';
  io.stderr.write(`Run "${PROGRAM}${verb} --help" for what can be given.\n`);
  return EXIT.usage;
}

/** What a command line asks for, or the code that it ends with where it asks for nothing that can be done. */
export async function readCommandLine(argv: readonly string[], io: Io): Promise<Invocation | ExitCode> {
  const spelled = spellOut(withHelp(argv), FORMS);
  const chosen: { invocation?: Invocation } = {};
  const parser: StricliProcess = { stdout: io.stdout, stderr: io.stderr, env: {} };
  const context: Context & { readonly process: StricliProcess } = {
    process: parser,
    choose: (invocation) => {
      chosen.invocation = invocation;
    },
  };
  await run(application(spelled[0]), spelled, context);
  return chosen.invocation ?? usageCode(Number(parser.exitCode), io, spelled);
}

/** Parses a command line, runs its verb and gives the exit code. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  const asked = await readCommandLine(argv, io);
  return typeof asked === 'function' ? asked(io) : asked;
}
