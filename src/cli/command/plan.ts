import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  type BudgetFlags,
  budgetFlags,
  type FailOnFlags,
  failOnFlags,
  type LookFlags,
  lookFlags,
  type OutputFlags,
  outputFlags,
  type ReadingFlags,
  readingFlags,
  type ShardFlags,
  shardFlags,
  tickAliases,
} from '#cli/flags.ts';
import { bare } from './bare.ts';

export interface PlanFlags
  extends LookFlags,
    BudgetFlags,
    FailOnFlags,
    ReadingFlags,
    ShardFlags,
    OutputFlags {
  readonly 'detailed-exitcode': boolean;
}

export function planCommand(): Command<Context> {
  return buildCommand<PlanFlags, [], Context>({
    parameters: {
      flags: bare({
        ...lookFlags,
        ...budgetFlags,
        ...failOnFlags,
        ...readingFlags,
        ...shardFlags,
        ...outputFlags,
        'detailed-exitcode': {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: 'Exit 2 when there are changes',
        },
      }),
      aliases: tickAliases,
    },
    docs: {
      brief: 'Show what a tick would do, and write nothing',
      fullDescription: `Shows what a tick would do, and writes nothing. Without --state the status and the runs that reconcile recorded are
missing: only those count that the manifests spell out, so that a slot can look owed that has long had its run; and a
CronJob is only foretold, since the cluster's own controller acts on it. With --state it is decided as reconcile would.
Of a cluster it reads what reconcile would read: with --full all runs.
With --from it is the plan of what was captured, at the time of the capture unless --now says another.`,
    },
    func(flags) {
      this.choose(async (io) => (await import('#cli/verb/plan.ts')).plan(flags, io));
    },
  });
}
