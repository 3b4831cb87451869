import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  decisionFlags,
  type LookFlags,
  lookFlags,
  type OutputFlags,
  optionalFlag,
  outputFlags,
  tickAliases,
} from '#cli/flags.ts';
import { readInstant, readSpan, readText } from '#cli/parsers.ts';
import type { Instant } from '#core/time/instant.ts';
import { bare } from './bare.ts';
import { objectWords } from './object-words.ts';

export type TimelineFormat = 'text' | 'svg' | 'html' | 'json';

export interface TimelineFlags extends LookFlags, Pick<OutputFlags, 'no-color'> {
  readonly output: TimelineFormat;
  readonly start?: Instant;
  readonly window: number;
  readonly timezone: string;
}

/** Each day is a column. */
const MOST_DAYS = 35;

function readWindow(text: string): number {
  const seconds = readSpan(text);
  if (seconds > MOST_DAYS * 86_400) throw new Error(`is too long: write at most ${MOST_DAYS}d`);
  return seconds;
}

export function timelineCommand(): Command<Context> {
  return buildCommand<TimelineFlags, string[], Context>({
    parameters: {
      flags: bare({
        ...lookFlags,
        grace: { ...decisionFlags.grace, brief: 'Lateness of a tick that is forgiven (90s unless set)' },
        output: {
          kind: 'enum',
          values: ['text', 'svg', 'html', 'json'],
          default: 'text',
          brief: 'Form of what is printed; the HTML is one file that loads nothing',
        },
        'no-color': outputFlags['no-color'],
        start: optionalFlag(
          readInstant,
          'RFC3339',
          'Where the window begins (the beginning of today unless set)',
        ),
        window: {
          kind: 'parsed',
          parse: readWindow,
          default: '7d',
          placeholder: 'DURATION',
          brief: `How long it is; 7 days unless set, at most ${MOST_DAYS}d`,
        },
        timezone: {
          kind: 'parsed',
          parse: readText,
          default: 'UTC',
          proposeCompletions: () => ['UTC', ...Intl.supportedValuesOf('timeZone')],
          placeholder: 'ZONE',
          brief: 'Zone of the calendar, such as Europe/Berlin; UTC unless set',
        },
      }),
      aliases: tickAliases,
      positional: objectWords(0),
    },
    docs: {
      brief: 'Show a calendar of what fires, and the minutes in which much starts at once',
      fullDescription: `Shows a row for every schedule, or for KIND/NAME, and a column for each day: slots that have passed with their
fate, as far as runs, events and status tell it, and those to come. Below it stands how much starts in each minute of
the day. Slots that lie close together are drawn as bands. Without --state the runs and the status that reconcile
recorded are not known.`,
    },
    func(flags, ...words) {
      this.choose(async (io) => (await import('#cli/verb/timeline.ts')).timeline(flags, words, io));
    },
  });
}
