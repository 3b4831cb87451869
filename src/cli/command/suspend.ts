import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import { bare } from './bare.ts';
import { objectWords } from './object-words.ts';
import { type WriteFlags, writeAliases, writeFlags } from './write-flags.ts';

export function suspendCommand(): Command<Context> {
  return buildCommand<WriteFlags, string[], Context>({
    parameters: {
      flags: bare(writeFlags),
      aliases: writeAliases,
      positional: objectWords(1),
    },
    docs: {
      brief: 'Suspend a schedule: no slot of it is run until it is resumed',
      fullDescription: `Sets the field of the spec that suspends a schedule, and nothing else, if it still is as it was read. Runs at work go
on. On a cluster it takes the right to patch the schedule, which none of the roles in policies/rbac has: a person's own
rights count. With -f the spec of a schedule is its manifest's, and the next tick would undo what is written beside it:
it is refused with the place of the manifest and the line to write there (one that stands in the state folder alone is
written there). A Plan has no such field: exit 64.`,
    },
    func(flags, ...words) {
      this.choose(async (io) => (await import('#cli/verb/suspend.ts')).suspend(flags, words, io));
    },
  });
}
