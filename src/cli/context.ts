import type { Command, CommandContext } from '@stricli/core';
import type { ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';

/** A verb with its arguments, ready to run. */
export type Invocation = (io: Io) => Promise<ExitCode>;

/** What the parser of the command line hands to a command: a place to leave what was asked for. */
export interface Context extends CommandContext {
  readonly choose: (invocation: Invocation) => void;
}

type Parameters = Command<Context>['parameters'];

/** A flag as a command declares it. */
export type FlagParameter = NonNullable<Parameters['flags']>[string];

/** What a command takes beside its flags. */
export type Positional = NonNullable<Parameters['positional']>;
