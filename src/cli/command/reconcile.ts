import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  type BudgetFlags,
  budgetFlags,
  type ClusterFlags,
  clusterFlags,
  type DecisionFlags,
  decisionFlags,
  type InputFlags,
  inputAliases,
  inputFlags,
  type OutputFlags,
  outputAliases,
  outputFlags,
  type SelectionFlags,
  selectionAliases,
  selectionFlags,
} from '#cli/flags.ts';
import { bare } from './bare.ts';
import { RECONCILE_CODES } from './docs.ts';

export interface ReconcileFlags
  extends InputFlags,
    ClusterFlags,
    SelectionFlags,
    DecisionFlags,
    BudgetFlags,
    OutputFlags {
  readonly prune: boolean;
  readonly 'dry-run'?: 'client' | 'server';
}

export function reconcileCommand(): Command<Context> {
  return buildCommand<ReconcileFlags, [], Context>({
    parameters: {
      flags: bare({
        ...inputFlags,
        ...clusterFlags,
        ...selectionFlags,
        ...decisionFlags,
        ...budgetFlags,
        ...outputFlags,
        'dry-run': {
          kind: 'enum',
          values: ['client', 'server'],
          optional: true,
          brief: 'client: as plan does; server: the API server checks all writes and stores none',
        },
        prune: {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: 'Remove the state of what -f does not hold any more, with its runs; without -n and -l',
        },
      }),
      aliases: { ...inputAliases, ...selectionAliases, ...outputAliases },
    },
    docs: {
      brief: 'Run one tick: decide which slot each schedule owes, and apply it',
      fullDescription: `Runs one tick: reads everything, decides which slot each schedule owes, and writes runs, status and events.
With -f it reads manifests and a state folder (./.minutehand unless --state names another), writes into that folder, and
only one tick at a time holds it. Without -f it reads and writes the cluster of the kubeconfig, or the one it runs in.

${RECONCILE_CODES}`,
    },
    func(flags) {
      this.choose(async (io) => (await import('#cli/verb/reconcile.ts')).reconcileOnce(flags, io));
    },
  });
}
