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
  outputAliases,
  outputFlags,
  type SelectionFlags,
  selectionFlags,
} from '#cli/flags.ts';
import { readText } from '#cli/parsers.ts';
import { bare } from './bare.ts';
import { RUN_CODES } from './docs.ts';

export interface RunFlags
  extends InputFlags,
    ClusterFlags,
    Pick<SelectionFlags, 'namespace'>,
    Pick<DecisionFlags, 'state' | 'now' | 'config'>,
    OutputFlags {
  readonly backup: string;
  readonly target?: string;
  readonly name?: string;
  readonly 'dry-run'?: 'client' | 'server';
}

export function runCommand(): Command<Context> {
  return buildCommand<RunFlags, string[], Context>({
    parameters: {
      flags: bare({
        backup: {
          kind: 'parsed',
          parse: readText,
          placeholder: 'NAME',
          brief: 'The Backup that is restored',
        },
        target: {
          kind: 'parsed',
          parse: readText,
          optional: true,
          placeholder: 'KIND/NAME',
          brief: 'The application that it is restored into, if not its own; KIND.GROUP/NAME is fine too',
        },
        name: {
          kind: 'parsed',
          parse: readText,
          optional: true,
          placeholder: 'NAME',
          brief: 'Name of the RestoreJob; that of the Backup and the time unless set',
        },
        'dry-run': {
          kind: 'enum',
          values: ['client', 'server'],
          optional: true,
          brief: 'client: only show it; server: the API server checks it and stores nothing',
        },
        ...inputFlags,
        ...clusterFlags,
        namespace: selectionFlags.namespace,
        state: decisionFlags.state,
        now: decisionFlags.now,
        config: decisionFlags.config,
        ...outputFlags,
      }),
      aliases: { ...inputAliases, n: 'namespace', ...outputAliases },
      positional: {
        kind: 'array',
        minimum: 1,
        maximum: 1,
        parameter: { parse: readText, placeholder: 'restorejob', brief: 'What is made: restorejob' },
      },
    },
    docs: {
      brief: 'Restore a Backup: make its RestoreJob',
      fullDescription: `Makes a RestoreJob of a Backup that is Ready; the next tick, or another driver's controller, carries it out. Its target
is overwritten. Without -n every namespace is searched for the Backup; several hits are an error that lists them.

${RUN_CODES}`,
    },
    func(flags, ...words) {
      this.choose(async (io) => (await import('#cli/verb/run.ts')).run(flags, words, io));
    },
  });
}
