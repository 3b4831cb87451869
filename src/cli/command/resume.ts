import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import { bare } from './bare.ts';
import { objectWords } from './object-words.ts';
import { type WriteFlags, writeAliases, writeFlags } from './write-flags.ts';

export function resumeCommand(): Command<Context> {
  return buildCommand<WriteFlags, string[], Context>({
    parameters: {
      flags: bare(writeFlags),
      aliases: writeAliases,
      positional: objectWords(1),
    },
    docs: {
      brief: 'Resume a suspended schedule, after showing what a tick then does',
      fullDescription: `Shows what a tick would do with the schedule if it were not suspended, such as a slot that fires at once, and then sets
the field of the spec that suspends it to false, if the schedule still is as it was read. With --dry-run it only shows
it. On a cluster it takes the right to patch the schedule, which none of the roles in policies/rbac has: a person's own
rights count. With -f the spec of a schedule is its manifest's, and the next tick would undo what is written beside it:
it is refused with the place of the manifest and the line to write there (one that stands in the state folder alone is
written there), and --dry-run=client shows all the same what
then fires.`,
    },
    func(flags, ...words) {
      this.choose(async (io) => (await import('#cli/verb/resume.ts')).resume(flags, words, io));
    },
  });
}
