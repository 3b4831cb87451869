import { buildCommand, type Command, type FlagParametersForType } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  type BudgetFlags,
  budgetFlags,
  type DryRunFlags,
  dryRunFlag,
  type FailOnFlags,
  failOnFlags,
  type InputFlags,
  inputFlags,
  type OutputFlags,
  optionalFlag,
  outputFlags,
  type ReadingFlags,
  readingFlags,
  type ShardFlags,
  shardFlags,
  type TickFlags,
  tickAliases,
  tickFlags,
} from '#cli/flags.ts';
import { type LeaseName, readDuration, readLease, readText } from '#cli/parsers.ts';
import { LOG_FORMATS, type TelemetryFlags } from '#cli/telemetry/wish.ts';
import { bare } from './bare.ts';

export interface ReconcileFlags
  extends InputFlags,
    TickFlags,
    BudgetFlags,
    FailOnFlags,
    ReadingFlags,
    ShardFlags,
    OutputFlags,
    DryRunFlags,
    TelemetryFlags {
  readonly prune: boolean;
  readonly lease?: LeaseName;
  readonly plan?: string;
  readonly 'plan-max-age'?: number;
}

// A URL may hold a secret, and the parser shows a value that it refuses: these are checked by the verb.
const telemetryFlags: FlagParametersForType<TelemetryFlags, Context> = {
  'log-format': {
    kind: 'enum',
    values: LOG_FORMATS,
    optional: true,
    brief: 'Form of the log; auto, which holds unless set, is JSON lines in a pod, else text',
  },
  pushgateway: optionalFlag(readText, 'URL', 'Push the figures of the tick to this Pushgateway'),
  ping: optionalFlag(readText, 'URL', 'Ask for this URL behind a tick that ends with 0'),
  'ping-fail': optionalFlag(readText, 'URL', 'Ask for this URL behind one that ends otherwise'),
};

type GivenFlags = Omit<ReconcileFlags, 'output'> & Partial<Pick<ReconcileFlags, 'output'>>;

/** Text that is asked for is text in a pod, too. */
function withDefaults({ output, ...flags }: GivenFlags): ReconcileFlags {
  const format = flags['log-format'] ?? (output === 'text' ? 'text' : undefined);
  return { ...flags, output: output ?? 'text', ...(format === undefined ? {} : { 'log-format': format }) };
}

export function reconcileCommand(): Command<Context> {
  return buildCommand<GivenFlags, [], Context>({
    parameters: {
      flags: bare({
        ...inputFlags,
        ...tickFlags,
        ...budgetFlags,
        ...failOnFlags,
        ...readingFlags,
        ...shardFlags,
        ...outputFlags,
        output: {
          kind: 'enum',
          values: ['text', 'json', 'yaml'],
          optional: true,
          brief: 'Form of what is printed (text unless set)',
        },
        'dry-run': {
          ...dryRunFlag,
          brief: 'client: as plan does; server: the API server checks all writes and stores none',
        },
        plan: optionalFlag(
          readText,
          'FILE',
          'Apply exactly what plan -o json wrote there (- for standard input), or nothing',
        ),
        'plan-max-age': optionalFlag(readDuration, 'DURATION', 'How old that plan may be (10m unless set)'),
        lease: optionalFlag(
          readLease,
          'NAMESPACE/NAME',
          'Lease of the cluster that one tick has at a time, and that tells the next one its lag',
        ),
        ...telemetryFlags,
        prune: {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: 'Remove the state of what -f does not hold any more, with its runs; without -n and -l',
        },
      }),
      aliases: tickAliases,
    },
    docs: {
      brief: 'Run one tick: decide which slot each schedule owes, and apply it',
      fullDescription: `Runs one tick: reads everything, decides which slot each schedule owes, and writes runs, status and events.
With -f it reads manifests and a state folder (./.minutehand unless --state names another), writes into that folder, and
only one tick at a time holds it. Without -f it reads and writes the cluster of the kubeconfig, or the one it runs in.
There runs are read only where something may depend on them, and those of each namespace in one tick of sixty, which is
once an hour if a tick comes every minute; --full reads all of them.

With --lease one tick at a time works on a cluster: another one says who is at it since when, and writes nothing. The
Lease has the time of the last tick that was completed, so that the next one names the minutes that were missed.
With --shard several processes share a tick, each with a Lease of its own.

With --plan the decision is made anew for the time of the plan, and applied only if it is the one in the plan: the same
objects in the same versions, the same verdicts, the same writes. It takes the flags that plan was given, with --state.
Secrets are masked in a plan, so nothing of the plan itself is ever written.

Figures and pings are sent behind the tick, within two seconds for all of them together; what does not go through is a
note and never an exit code. A dry run sends nothing.`,
    },
    func(flags) {
      this.choose(async (io) =>
        (await import('#cli/verb/reconcile.ts')).reconcileOnce(withDefaults(flags), io),
      );
    },
  });
}
