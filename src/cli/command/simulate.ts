import { buildCommand, type Command } from '@stricli/core';
import { playedWords } from '#cli/completion/kind-words.ts';
import type { Context } from '#cli/context.ts';
import {
  type BudgetFlags,
  budgetFlags,
  type InputFlags,
  inputFlags,
  type OutputFlags,
  optionalFlag,
  outputFlags,
  type TickFlags,
  tickAliases,
  tickFlags,
} from '#cli/flags.ts';
import { readDuration, readSpan, readText } from '#cli/parsers.ts';
import { type Instant, parseInstant } from '#core/time/instant.ts';
import { bare } from './bare.ts';
import { objectWords } from './object-words.ts';

/** When it begins, or the file of a capture, which says both when and from what. */
export interface Beginning {
  readonly at?: Instant;
  readonly file?: string;
}

export interface SimulateFlags extends InputFlags, TickFlags, BudgetFlags, OutputFlags {
  readonly from?: Beginning;
  readonly for: number;
  readonly duration?: readonly string[];
  readonly pod?: readonly string[];
  readonly outcome: 'succeeded' | 'failed';
  readonly 'tick-offset': number;
}

/** A file; a time, which `--now` takes, is understood as well. */
function readBeginning(text: string): Beginning {
  const at = parseInstant(text);
  if (at !== undefined) return { at };
  if (/^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]*Z?)?$/.test(text))
    throw new Error(
      'is neither a file that capture wrote nor an RFC 3339 time such as 2026-11-29T03:00:00Z, which --now takes',
    );
  return { file: readText(text) };
}

/** Two years: what comes behind a leap day, too. */
const MOST_SECONDS = 731 * 86_400;

function readStretch(text: string): number {
  const seconds = readSpan(text);
  if (seconds < 60 || seconds > MOST_SECONDS) throw new Error('is not from 1m to 731d, which is two years');
  return seconds;
}

function readOffset(text: string): number {
  const seconds = readDuration(text);
  if (seconds > 59) throw new Error('is not from 0s to 59s');
  return seconds;
}

export function simulateCommand(): Command<Context> {
  return buildCommand<SimulateFlags, string[], Context>({
    parameters: {
      flags: bare({
        ...inputFlags,
        ...tickFlags,
        ...budgetFlags,
        ...outputFlags,
        now: {
          ...tickFlags.now,
          brief:
            'When it begins, instead of the clock; the first tick is at the next --tick-offset of a minute',
        },
        from: optionalFlag(
          readBeginning,
          'FILE',
          'What capture wrote, instead of -f and of a cluster; - is standard input; an RFC 3339 time here is --now',
        ),
        for: {
          kind: 'parsed',
          parse: readStretch,
          default: '30d',
          placeholder: 'DURATION',
          brief: 'How much time passes; 30 days unless set',
        },
        duration: {
          kind: 'parsed',
          parse: readText,
          variadic: true,
          optional: true,
          proposeCompletions: async () =>
            (await import('#kinds/index.ts')).KINDS.map(({ resource }) => `${resource.kind}=`),
          placeholder: '[KIND=]DURATION',
          brief: 'How long runs take, or those of one KIND of schedule (CronJob=20m); may be repeated',
        },
        pod: {
          kind: 'parsed',
          parse: readText,
          variadic: true,
          optional: true,
          placeholder: '[JOB[/INDEXES]=]DURATION[:CODE],…',
          brief:
            'How the pods of managed Jobs end, one after the other (shards/2=1m:42,30s); may be repeated',
        },
        outcome: {
          kind: 'enum',
          values: ['succeeded', 'failed'],
          default: 'succeeded',
          brief: 'How every run ends',
        },
        'tick-offset': {
          kind: 'parsed',
          parse: readOffset,
          default: '0s',
          placeholder: 'DURATION',
          brief: 'Second of the minute at which ticks start',
        },
      }),
      aliases: tickAliases,
      positional: objectWords(0, playedWords),
    },
    docs: {
      brief: 'Run the ticks of a month in a second: what fires, what waits, what is skipped',
      fullDescription: `Decides the ticks of a stretch of time, one a minute, as reconcile would, from the objects as they are now, and shows
what fired, what was held and for how long, what was skipped and why, and the longest gaps. Nothing is written. Without
--state the status and the runs that reconcile recorded are not known. It begins now, at --now, or when the capture of
--from was made.

A run begins with its tick and takes as long as --duration says, else the median of the runs of its schedule that ended,
else five minutes; it ends as --outcome says. Every write goes through.

Jobs with spec.managedBy: minutehand.dev/job take part with their pods, also those that a CronJob makes. --pod says how
the pods of a Job, or of the Jobs of a CronJob, end: DURATION:CODE for each in its turn, and the last one for all
further ones; a CODE is an exit code, 0 if it is left out, or disrupted for a pod that is taken from its node. With
INDEXES (2 or 0-3,7) it holds for these of an Indexed Job, each by itself, and with the restart policy OnFailure a turn
is a start of the containers. The closest --pod wins; without any a pod is like a run.

No other driver takes part: a BackupJob ends by itself, after its time. What a retention prunes stays; no slot depends
on it. Every schedule is acted on, also those that somebody else acts on outside the simulation, such as the built-in
CronJob controller: they are named. Where H or jitter follow from a uid that an object does not have yet, its slots
are one example of many.`,
    },
    func(flags, ...words) {
      this.choose(async (io) => (await import('#cli/verb/simulate.ts')).simulate(flags, words, io));
    },
  });
}
