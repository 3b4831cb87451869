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
import { readSelector } from '#cli/parsers.ts';
import { bare } from './bare.ts';

export interface CaptureVerbFlags
  extends InputFlags,
    ClusterFlags,
    Omit<SelectionFlags, 'selector'>,
    DecisionFlags,
    BudgetFlags,
    Pick<OutputFlags, 'no-color'> {
  readonly output: 'yaml' | 'json';
  /** As it was written: it is checked here, and read by whoever replays the capture. */
  readonly selector?: string;
}

function checkedSelector(text: string): string {
  readSelector(text);
  return text;
}

export function captureCommand(): Command<Context> {
  return buildCommand<CaptureVerbFlags, [], Context>({
    parameters: {
      flags: bare({
        ...inputFlags,
        ...clusterFlags,
        namespace: selectionFlags.namespace,
        'all-namespaces': selectionFlags['all-namespaces'],
        selector: { ...selectionFlags.selector, parse: checkedSelector },
        ...decisionFlags,
        ...budgetFlags,
        output: { kind: 'enum', values: ['yaml', 'json'], default: 'yaml', brief: 'Form of the file' },
        'no-color': outputFlags['no-color'],
      }),
      aliases: { ...inputAliases, ...selectionAliases, ...outputAliases },
    },
    docs: {
      brief:
        'Write what a tick reads into one file, from which plan, next and explain tell the same elsewhere',
      fullDescription: `Writes all that a tick reads, and the settings that it goes by, into one file on standard output: for a bug report, or
to look at a cluster from afar. With --from the file takes the place of that cluster, offline and at the time of the
capture.

Read the file before you send it. Masked are values that look secret: those of members, variables, flags and annotations
with names such as password, token or secret, keys and tokens by their form, passwords in addresses. Secrets are never
read. Not masked are names, namespaces, labels, uids, times, images, addresses, and commands, variables, messages and
annotations in which nothing looks secret. With -n other namespaces are in it as well, since schedules may point there;
\`namespaces\` in the configuration keeps them out. Of events only those about schedules and orders are kept. Equal values
stay equal: each has a number. A plan of the file is compared with that of the source before it is written.`,
    },
    func(flags) {
      this.choose(async (io) => (await import('#cli/verb/capture.ts')).capture(flags, io));
    },
  });
}
