import type { FlagParametersForType } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  type ClusterFlags,
  clusterFlags,
  type DecisionFlags,
  type DryRunFlags,
  decisionFlags,
  dryRunFlag,
  type InputFlags,
  inputAliases,
  inputFlags,
  type OutputFlags,
  outputAliases,
  outputFlags,
  type SelectionFlags,
  selectionFlags,
} from '#cli/flags.ts';

/** Of verbs that write about one schedule which somebody names. */
export interface WriteFlags
  extends InputFlags,
    ClusterFlags,
    Pick<SelectionFlags, 'namespace'>,
    DecisionFlags,
    OutputFlags,
    DryRunFlags {}

export const writeFlags: FlagParametersForType<WriteFlags, Context> = {
  'dry-run': dryRunFlag,
  ...inputFlags,
  ...clusterFlags,
  namespace: { ...selectionFlags.namespace, brief: 'Namespace of the schedule' },
  ...decisionFlags,
  ...outputFlags,
};

export const writeAliases = { ...inputAliases, n: 'namespace', ...outputAliases } as const;
