import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import { type OutputFormat, outputFlags } from '#cli/flags.ts';
import { bare } from './bare.ts';

export interface VersionFlags {
  readonly output: OutputFormat;
}

export function versionCommand(): Command<Context> {
  return buildCommand<VersionFlags, [], Context>({
    parameters: { flags: bare({ output: outputFlags.output }), aliases: { o: 'output' } },
    docs: {
      brief: 'Print the version of this program, of Node and of the time zone data',
      fullDescription:
        'Prints what decides slots: the version of this program, of Node and of its time zone data, and the platform.',
    },
    func(flags) {
      this.choose(async (io) => (await import('#cli/verb/version.ts')).version(flags, io));
    },
  });
}
