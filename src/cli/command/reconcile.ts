import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  type BudgetFlags,
  budgetFlags,
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

export interface ReconcileFlags extends InputFlags, SelectionFlags, DecisionFlags, BudgetFlags, OutputFlags {
  readonly prune: boolean;
}

export function reconcileCommand(): Command<Context> {
  return buildCommand<ReconcileFlags, [], Context>({
    parameters: {
      flags: bare({
        ...inputFlags,
        ...selectionFlags,
        ...decisionFlags,
        ...budgetFlags,
        ...outputFlags,
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
      fullDescription: `Runs one tick: reads the manifests and the state folder (./.minutehand unless --state names another), decides which
slot each schedule owes, and writes runs, status and events into the state folder. Only one tick at a time holds it.

${RECONCILE_CODES}`,
    },
    func(flags) {
      this.choose(async (io) => (await import('#cli/verb/reconcile.ts')).reconcileOnce(flags, io));
    },
  });
}
