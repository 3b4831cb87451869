import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import { type BudgetFlags, budgetFlags, optionalFlag } from '#cli/flags.ts';
import { readInstant } from '#cli/parsers.ts';
import type { Instant } from '#core/time/instant.ts';
import { bare } from './bare.ts';
import { objectWords } from './object-words.ts';
import { type WriteFlags, writeAliases, writeFlags } from './write-flags.ts';

export interface BackfillFlags extends WriteFlags, Pick<BudgetFlags, 'max-creates'> {
  readonly from: Instant;
  readonly to?: Instant;
  readonly 'despite-running': boolean;
}

export function backfillCommand(): Command<Context> {
  return buildCommand<BackfillFlags, string[], Context>({
    parameters: {
      flags: bare({
        from: {
          kind: 'parsed',
          parse: readInstant,
          placeholder: 'RFC3339',
          brief: 'The first instant of the range',
        },
        to: optionalFlag(readInstant, 'RFC3339', 'The last instant of the range; now unless set'),
        'max-creates': {
          ...budgetFlags['max-creates'],
          brief: 'Most runs that are made (10 unless set); the oldest slots go first',
        },
        'despite-running': {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: 'All slots at once, and beside unfinished runs, whatever concurrencyPolicy says',
        },
        ...writeFlags,
      }),
      aliases: writeAliases,
      positional: objectWords(1),
    },
    docs: {
      brief: 'Make the runs that slots of the past do not have',
      fullDescription: `Makes the runs of the slots in a range that have none, the oldest first, under the names that these slots give: a slot
that has its run gets no second one. The slots are those of the expression as it stands now, also from before the
schedule was made, and from before a deadline or a pause. What history or a time to live took away counts as missing.
No status is written, so that no anchor moves. Where concurrencyPolicy is Forbid or Replace it is one slot at a time,
and none beside an unfinished run. With -f it goes into the state folder (./.minutehand unless --state names another).`,
    },
    func(flags, ...words) {
      this.choose(async (io) => (await import('#cli/verb/backfill.ts')).backfill(flags, words, io));
    },
  });
}
