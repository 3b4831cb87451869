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
  inputFlags,
  type OutputFlags,
  outputFlags,
  type SelectionFlags,
  selectionFlags,
} from '#cli/flags.ts';

/** Of `suspend` and of `resume`. */
export interface SuspensionFlags
  extends InputFlags,
    ClusterFlags,
    Pick<SelectionFlags, 'namespace'>,
    DecisionFlags,
    OutputFlags,
    DryRunFlags {}

export const suspensionFlags: FlagParametersForType<SuspensionFlags, Context> = {
  'dry-run': dryRunFlag,
  ...inputFlags,
  ...clusterFlags,
  namespace: { ...selectionFlags.namespace, brief: 'Namespace of the schedule' },
  ...decisionFlags,
  ...outputFlags,
};
