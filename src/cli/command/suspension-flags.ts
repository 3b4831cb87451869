import type { FlagParametersForType } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  type ClusterFlags,
  clusterFlags,
  type DecisionFlags,
  decisionFlags,
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
    OutputFlags {
  readonly 'dry-run'?: 'client' | 'server';
}

export const suspensionFlags: FlagParametersForType<SuspensionFlags, Context> = {
  'dry-run': {
    kind: 'enum',
    values: ['client', 'server'],
    optional: true,
    brief: 'client: only show it; server: the API server checks it and stores nothing',
  },
  ...inputFlags,
  ...clusterFlags,
  namespace: { ...selectionFlags.namespace, brief: 'Namespace of the schedule' },
  ...decisionFlags,
  ...outputFlags,
};
