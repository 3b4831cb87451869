import { CHANGE_STATES } from '#core/change/applied.ts';
import { VERDICT_CODES } from '#core/change/verdict.ts';
import type { Lag } from '#core/lag.ts';
import { ANSWER_CLASSES, REQUEST_VERBS, type Requests } from '#core/requests.ts';
import { WORK_STATES } from '#core/run/driver.ts';
import { type Durations, isCompleted, PHASES, type TickOutcome, type TickRecord } from '#core/tick-record.ts';
import {
  CHANGE_VERBS,
  changeTable,
  expiredSlots,
  finalVerdicts,
  orderTable,
  type Table,
  verdictTable,
} from '#core/tick-totals.ts';
import { METRICS, type MetricDefinition } from '#render/metrics/definitions.ts';

/** One series: a value under the labels of its metric, in their order. */
export interface Sample {
  readonly labels: readonly string[];
  readonly value: number;
}

export interface MetricFamily {
  readonly definition: MetricDefinition;
  readonly samples: readonly Sample[];
}

function single(definition: MetricDefinition, value: number): MetricFamily {
  return { definition, samples: [{ labels: [], value }] };
}

/** Every pair of words, zeros included: whoever is pushed to keeps the value of what is not sent any more. */
function pairs<Row extends string, Column extends string>(
  definition: MetricDefinition,
  rows: readonly Row[],
  columns: readonly Column[],
  count: (row: Row, column: Column) => number,
): MetricFamily {
  const samples = rows.flatMap((row) =>
    columns.map((column) => ({ labels: [row, column], value: count(row, column) })),
  );
  return { definition, samples };
}

function table<Row extends string, Column extends string>(
  definition: MetricDefinition,
  rows: readonly Row[],
  columns: readonly Column[],
  counts: Table<Row, Column>,
): MetricFamily {
  return pairs(definition, rows, columns, (row, column) => counts.get(row)?.get(column) ?? 0);
}

function durationFamily(durations: Durations): MetricFamily {
  const samples = [...PHASES, 'total' as const].map((phase) => ({
    labels: [phase],
    value: durations[phase] / 1000,
  }));
  return { definition: METRICS.duration, samples };
}

function outcomeFamilies(outcome: TickOutcome): readonly MetricFamily[] {
  const verdicts = finalVerdicts(outcome);
  const expired = expiredSlots(verdicts);
  const { kinds, orderKinds } = outcome;
  return [
    table(METRICS.schedules, kinds, VERDICT_CODES, verdictTable(verdicts)),
    {
      definition: METRICS.slotsExpired,
      samples: kinds.map((kind) => ({ labels: [kind], value: expired.get(kind) ?? 0 })),
    },
    table(METRICS.orders, orderKinds, WORK_STATES, orderTable(outcome)),
    table(METRICS.changes, CHANGE_VERBS, CHANGE_STATES, changeTable(outcome)),
  ];
}

function requestFamilies(requests: Requests): readonly MetricFamily[] {
  const { sent, retries } = requests;
  return [
    pairs(METRICS.requests, REQUEST_VERBS, ANSWER_CLASSES, (verb, answer) => sent[verb][answer]),
    single(METRICS.retries, retries),
  ];
}

/** Before the first completed tick there is nothing to be behind of. */
function lagFamilies(now: number, { lastCompleted, missedMinutes }: Lag): readonly MetricFamily[] {
  const behind = lastCompleted === undefined ? [] : [single(METRICS.lag, Math.max(0, now - lastCompleted))];
  return [...behind, single(METRICS.missedMinutes, missedMinutes)];
}

/**
 * The figures of a tick, in the order of the table. What nobody can know, since the tick failed before, is left out.
 * @param at seconds since 1970, at the end of the tick
 */
export function tickMetrics(record: TickRecord, at: number): readonly MetricFamily[] {
  const { exitCode, now, outcome, durations, requests, lag } = record;
  const families = [
    ...(isCompleted(record) ? [single(METRICS.lastCompleted, at)] : []),
    durationFamily(durations),
    ...(now === undefined || lag === undefined ? [] : lagFamilies(now, lag)),
    single(METRICS.exitCode, exitCode),
    ...(outcome === undefined ? [] : outcomeFamilies(outcome)),
    ...(requests === undefined ? [] : requestFamilies(requests)),
  ];
  return families.filter(({ samples }) => samples.length > 0);
}
