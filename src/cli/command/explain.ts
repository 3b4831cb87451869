import { buildCommand, type Command } from '@stricli/core';
import { explainedWords } from '#cli/completion/kind-words.ts';
import type { Context } from '#cli/context.ts';
import { type LookFlags, lookFlags, type OutputFlags, outputFlags, tickAliases } from '#cli/flags.ts';
import { bare } from './bare.ts';
import { objectWords } from './object-words.ts';

export interface ExplainFlags extends LookFlags, OutputFlags {}

export function explainCommand(): Command<Context> {
  return buildCommand<ExplainFlags, string[], Context>({
    parameters: {
      flags: bare({
        ...lookFlags,
        ...outputFlags,
      }),
      aliases: tickAliases,
      positional: objectWords(1, explainedWords),
    },
    docs: {
      brief: 'Tell why a schedule does what it does, or where a BackupJob, RestoreJob or managed Job stands',
      fullDescription: `Tells what one schedule owes and why, when it last ran, what a tick would do now, and its next slots; nothing is
written. Without -n every namespace is searched; several hits are an error that lists them. Without --state the runs and
the status that reconcile recorded are not known: what is missing is what the manifests do not spell out themselves, so
that a slot can look owed that has long had its run. With --state it is explained as reconcile would decide. Of a
BackupJob or RestoreJob it tells the whole chain: class, strategy, application, Job, and what is waited for; of a Job
with spec.managedBy the rule that decided, and the next pod.`,
    },
    func(flags, ...words) {
      this.choose(async (io) => (await import('#cli/verb/explain.ts')).explainOne(flags, words, io));
    },
  });
}
