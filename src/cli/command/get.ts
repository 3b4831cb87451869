import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  type ClusterFlags,
  clusterFlags,
  type DecisionFlags,
  decisionFlags,
  type InputFlags,
  inputAliases,
  inputFlags,
  type OutputFlags,
  optionalFlag,
  outputAliases,
  outputFlags,
  type SelectionFlags,
  selectionFlags,
} from '#cli/flags.ts';
import { readText } from '#cli/parsers.ts';
import { bare } from './bare.ts';

export interface GetFlags
  extends InputFlags,
    ClusterFlags,
    Pick<SelectionFlags, 'namespace' | 'all-namespaces'>,
    Pick<DecisionFlags, 'state' | 'now' | 'config'>,
    OutputFlags {
  readonly application?: string;
  readonly plan?: string;
}

export function getCommand(): Command<Context> {
  return buildCommand<GetFlags, string[], Context>({
    parameters: {
      flags: bare({
        application: optionalFlag(
          readText,
          'KIND/NAME',
          'Only backups of this application, such as Redis/sessions; KIND.GROUP/NAME is fine too',
        ),
        plan: optionalFlag(readText, 'NAME', 'Only backups that this Plan made'),
        ...inputFlags,
        ...clusterFlags,
        namespace: { ...selectionFlags.namespace, brief: 'Only backups of this namespace' },
        'all-namespaces': {
          ...selectionFlags['all-namespaces'],
          brief: 'Backups of every namespace, which is the default',
        },
        state: decisionFlags.state,
        now: decisionFlags.now,
        config: decisionFlags.config,
        ...outputFlags,
      }),
      aliases: { ...inputAliases, n: 'namespace', A: 'all-namespaces', ...outputAliases },
      positional: {
        kind: 'array',
        minimum: 1,
        maximum: 1,
        parameter: {
          parse: readText,
          proposeCompletions: () => ['backups'],
          placeholder: 'backups',
          brief: 'What is listed: backups',
        },
      },
    },
    docs: {
      brief: 'List the points that an application can be restored from',
      fullDescription: `Lists Backups, the newest first: of which application, by which Plan, when they were taken, whether they can be used,
and where they lie. They outlive the BackupJob and the Plan that made them. --application and --plan go by what the
record says and by its labels. With -f those that ticks recorded are in the state folder: --state names it.`,
    },
    func(flags, ...words) {
      this.choose(async (io) => (await import('#cli/verb/get.ts')).get(flags, words, io));
    },
  });
}
