import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  type ClusterFlags,
  clusterFlags,
  type DecisionFlags,
  type DryRunFlags,
  decisionFlags,
  dryRunFlag,
  type OutputFlags,
  outputAliases,
  outputFlags,
  type SelectionFlags,
  selectionFlags,
} from '#cli/flags.ts';
import { bare } from './bare.ts';
import { objectWords } from './object-words.ts';

export interface AdoptFlags
  extends ClusterFlags,
    Pick<SelectionFlags, 'namespace'>,
    Pick<DecisionFlags, 'config'>,
    OutputFlags,
    DryRunFlags {}

export function adoptCommand(): Command<Context> {
  return buildCommand<AdoptFlags, string[], Context>({
    parameters: {
      flags: bare({
        ...clusterFlags,
        namespace: selectionFlags.namespace,
        config: decisionFlags.config,
        'dry-run': {
          ...dryRunFlag,
          brief: 'client: only show who wrote what; server: the API server checks it and stores nothing',
        },
        ...outputFlags,
      }),
      aliases: { n: 'namespace', ...outputAliases },
      positional: objectWords(1),
    },
    docs: {
      brief: 'Take a schedule over whose status somebody else has written',
      fullDescription: `Shows who is recorded to have written the status fields of a schedule that a tick writes, and takes these fields over
with the values that they have: from then on the ticks act on the schedule. Whoever wrote them before must have stopped,
else both act on it. Nothing else that others wrote is touched, and no other verb ever takes a field by force.`,
    },
    func(flags, ...words) {
      this.choose(async (io) => (await import('#cli/verb/adopt.ts')).adopt(flags, words, io));
    },
  });
}
