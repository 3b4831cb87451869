import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  type LookFlags,
  lookFlags,
  type OutputFlags,
  optionalFlag,
  outputFlags,
  tickAliases,
} from '#cli/flags.ts';
import { readDuration, readPositive } from '#cli/parsers.ts';
import { bare } from './bare.ts';
import { objectWords } from './object-words.ts';

export interface NextFlags extends LookFlags, OutputFlags {
  readonly count?: number;
  readonly for?: number;
}

export function nextCommand(): Command<Context> {
  return buildCommand<NextFlags, string[], Context>({
    parameters: {
      flags: bare({
        ...lookFlags,
        ...outputFlags,
        count: optionalFlag(readPositive, 'N', 'Slots of each schedule (5 unless set)'),
        for: optionalFlag(readDuration, 'DURATION', 'Only slots within this time, such as 24h'),
      }),
      aliases: tickAliases,
      positional: objectWords(0),
    },
    docs: {
      brief: 'Show the next slots, in UTC and in the zone of each schedule',
      fullDescription: `Shows the next slots of every schedule, or of KIND/NAME, in the order of time. Clock changes that skip or repeat a slot
are noted. Without --state the status that reconcile recorded is missing: slots that count from the last one (@every)
may be others, and a CronJob's annotation for clock changes does not hold. With --state they are those of reconcile.`,
    },
    func(flags, ...words) {
      this.choose(async (io) => (await import('#cli/verb/next.ts')).next(flags, words, io));
    },
  });
}
