import { buildCommand, type Command } from '@stricli/core';
import { scheduleWords } from '#cli/completion/kind-words.ts';
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
  optionalFlag,
  outputAliases,
  outputFlags,
  type SelectionFlags,
  selectionFlags,
} from '#cli/flags.ts';
import { readText } from '#cli/parsers.ts';
import { bare } from './bare.ts';

export interface RunFlags
  extends InputFlags,
    ClusterFlags,
    Pick<SelectionFlags, 'namespace'>,
    Pick<DecisionFlags, 'state' | 'now' | 'config'>,
    OutputFlags,
    DryRunFlags {
  /** Of a RestoreJob, and always given with one. */
  readonly backup?: string;
  readonly target?: string;
  readonly name?: string;
  readonly 'despite-running': boolean;
}

export function runCommand(): Command<Context> {
  return buildCommand<RunFlags, string[], Context>({
    parameters: {
      flags: bare({
        backup: optionalFlag(readText, 'NAME', 'restorejob: the Backup that is restored'),
        target: optionalFlag(
          readText,
          'KIND/NAME',
          'restorejob: the application that it is restored into, if not its own; or KIND.GROUP/NAME',
        ),
        name: optionalFlag(
          readText,
          'NAME',
          'restorejob: its name; that of the Backup and the time unless set',
        ),
        'despite-running': {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: 'Beside unfinished runs; of a restore, beside others into its target, and backups of that',
        },
        'dry-run': dryRunFlag,
        ...inputFlags,
        ...clusterFlags,
        namespace: {
          ...selectionFlags.namespace,
          brief: 'Namespace of the schedule or of the Backup, and of what is made',
        },
        state: decisionFlags.state,
        now: decisionFlags.now,
        config: decisionFlags.config,
        ...outputFlags,
      }),
      aliases: { ...inputAliases, n: 'namespace', ...outputAliases },
      positional: {
        kind: 'array',
        minimum: 1,
        maximum: 2,
        parameter: {
          parse: readText,
          proposeCompletions: async () => [...(await scheduleWords()), 'restorejob'],
          placeholder: 'KIND/NAME',
          brief: 'The schedule that is run once, as for explain; or restorejob',
        },
      },
    },
    docs: {
      brief: 'Run a schedule once by hand, or restore a Backup',
      fullDescription: `With KIND/NAME it makes what a slot of the schedule would make, right now and once: marked as made by hand
(minutehand.dev/manual), under a name that no slot has. It settles no slot, no budget counts it, and what is suspended
can be run as well. Beside an unfinished run it is refused where concurrencyPolicy is Forbid or Replace, unless
--despite-running is given; it replaces none. A Plan is not run beside an unfinished restore into its application
either, though slots of it are. History and retention treat it as the kind does: it is one of the
Jobs of a CronJob, one of the runs of an EtcdDefragPolicy, a BackupJob of a Plan without a slot, and a Snapshot of the
policy with the origin manual.

With restorejob it makes a RestoreJob of a Backup that is Ready; the next tick, or another driver's controller, carries
it out. Its target is overwritten; beside an unfinished restore into it, or an unfinished backup of it, it is refused,
as above. The target is of the kind that the Backup was taken of, in any letter case, and in its namespace; one that
cannot be found is a warning, and an error where --target names it on a cluster.

With -f what is made goes into the state folder (./.minutehand unless --state names another). Without -n every namespace
is searched; several hits are an error that lists them.`,
    },
    func(flags, ...words) {
      this.choose(async (io) => (await import('#cli/verb/run.ts')).run(flags, words, io));
    },
  });
}
