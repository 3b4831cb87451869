import * as z from 'zod/mini';
import { CHANGE_STATES } from '#core/change/applied.ts';
import { CHANGE_REASONS } from '#core/change/change.ts';
import { VERDICT_CODES } from '#core/change/verdict.ts';
import { SEVERITIES } from '#core/diagnostic.ts';
import { ANSWER_CLASSES, REQUEST_VERBS } from '#core/requests.ts';
import { WORK_STATES } from '#core/run/driver.ts';
import { PHASES } from '#core/tick-record.ts';
import { CHANGE_VERBS } from '#core/tick-totals.ts';
import { LEVELS } from '#render/log/log-line.ts';
import { count, diagnosticShape, objectRef, time } from './schema-parts.ts';

const ID = 'https://minutehand.dev/schemas/log-line-v1.json';

function head() {
  return {
    time: z
      .string()
      .check(
        z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
        z.describe('When the line was written, in UTC'),
      ),
    level: z.enum(LEVELS),
    msg: z.string().check(z.describe('The line as a sentence; its wording may change')),
  };
}

function counts<const Word extends string>(words: readonly Word[], description: string) {
  return z.partialRecord(z.enum(words), count()).check(z.describe(description));
}

function exactly<const Word extends string>(words: readonly Word[]) {
  return Object.fromEntries(words.map((word) => [word, count()]));
}

function tick() {
  const lag = z.strictObject({
    lastCompleted: z.optional(time()),
    seconds: z.optional(z.int().check(z.describe('From the last completed tick to this one'))),
    missedMinutes: count(),
    missed: z.optional(z.strictObject({ first: time(), last: time() })),
    secondsBack: count().check(z.describe('By which the clock lies before the last completed tick')),
  });
  return z.strictObject({
    ...head(),
    type: z.literal('tick'),
    version: z.string(),
    now: z.optional(time().check(z.describe('The minute that was decided for, or what --now says'))),
    exitCode: count(),
    completed: z.boolean().check(z.describe('It came to its end: exit code 0 or 3')),
    dryRun: z.optional(z.literal(true).check(z.describe('The server checked every write and stored none'))),
    shard: z.optional(z.strictObject({ index: count(), count: count() })),
    lag: z.optional(lag),
    durationMs: z.strictObject(exactly([...PHASES, 'total'])),
    schedules: z.optional(
      z.strictObject({ total: count(), verdicts: counts(VERDICT_CODES, 'After the writes') }),
    ),
    orders: z.optional(z.strictObject({ total: count(), states: counts(WORK_STATES, 'After the writes') })),
    changes: z.optional(
      z.strictObject({
        total: count(),
        outcomes: counts(CHANGE_STATES, 'By what came of them'),
        verbs: counts(CHANGE_VERBS, 'By what they were'),
      }),
    ),
    requests: z.optional(
      z.strictObject({
        total: count(),
        verbs: counts(REQUEST_VERBS, 'By HTTP method, every try counted'),
        answers: counts(ANSWER_CLASSES, '429 is not among 4xx; none is no answer at all'),
        retries: count(),
        throttled: count().check(z.describe('Answers of 429')),
      }),
    ),
    diagnostics: z.strictObject(exactly(SEVERITIES)),
  });
}

function change() {
  const owner = (description: string) =>
    z.optional(z.strictObject(objectRef()).check(z.describe(description)));
  return z.strictObject({
    ...head(),
    type: z.literal('change'),
    schedule: owner('For whom it was written; of schedule, order and policy a line has one'),
    order: owner('The BackupJob or RestoreJob, where a driver wrote it'),
    policy: owner('What decides how many runs are kept, where a run was beyond that'),
    verdict: z.optional(
      z
        .enum(VERDICT_CODES)
        .check(
          z.describe(
            'Of the schedule, after the writes; on its status, and on what was made or told for the slot of the verdict',
          ),
        ),
    ),
    state: z.optional(z.enum(WORK_STATES).check(z.describe('Of the order, after the writes'))),
    reason: z.optional(z.string().check(z.describe('As conditions and events of the kind spell it'))),
    slot: z.optional(time().check(z.describe('Of the run or the event; on a status that of the verdict'))),
    lateSeconds: z.optional(z.int().check(z.describe('By how much the slot of the verdict was late'))),
    verb: z.enum(CHANGE_VERBS),
    because: z.enum(CHANGE_REASONS),
    object: z.strictObject(objectRef()).check(z.describe('What was written')),
    outcome: z.enum(CHANGE_STATES),
    message: z.optional(z.string()),
  });
}

/** A line of the JSON log as a schema, of which `examples/log-line.schema.json` is made. */
function logLineSchema() {
  return z.discriminatedUnion('type', [
    tick(),
    change(),
    z.strictObject({ ...head(), type: z.literal('diagnostic'), ...diagnosticShape() }),
    z.strictObject({ ...head(), type: z.literal('message') }),
  ]);
}

export function logLineJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(logLineSchema(), { target: 'draft-2020-12' });
  return { $schema, $id: ID, title: 'Minutehand log line, format 1', ...schema };
}
