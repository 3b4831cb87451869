import type { Verdict } from '#core/change/verdict.ts';
import type { Severity } from '#core/diagnostic.ts';
import type { Lag } from '#core/lag.ts';
import { toLagDocument } from '#core/lag-document.ts';
import { ANSWER_CLASSES, countAnswers, countRequests, REQUEST_VERBS, type Requests } from '#core/requests.ts';
import { isCompleted, type TickOutcome, type TickRecord } from '#core/tick-record.ts';
import { changeTable, finalVerdicts, orderTable, type Table } from '#core/tick-totals.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import type { Level, LogLine, TickLine } from '#render/log/log-line.ts';
import { stateCountsText } from '#render/order-counts-text.ts';
import { grouped, plural } from '#render/plural.ts';
import { verdictCounts } from '#render/summary-text.ts';

type Counts = Readonly<Record<string, number>>;

export interface TickLineOptions {
  readonly version: string;
  readonly dryRun: boolean;
  /** How many findings were told. */
  readonly told: Readonly<Record<Severity, number>>;
}

function tally(words: Iterable<string>): Counts {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].sort());
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function columnSums(table: Table<string, string>): Counts {
  const sums: Record<string, number> = {};
  for (const row of table.values())
    for (const [column, count] of row) sums[column] = (sums[column] ?? 0) + count;
  return sums;
}

function rowSums(table: Table<string, string>): Counts {
  return Object.fromEntries([...table].map(([row, counts]) => [row, sumOf(Object.fromEntries(counts))]));
}

type OutcomePart = Pick<TickLine, 'schedules' | 'orders' | 'changes'>;

function outcomePart(outcome: TickOutcome, verdicts: readonly Verdict[]): OutcomePart {
  const changes = changeTable(outcome);
  const outcomes = columnSums(changes);
  const states = columnSums(orderTable(outcome));
  const orders = sumOf(states);
  return {
    schedules: { total: verdicts.length, verdicts: tally(verdicts.map(({ code }) => code)) },
    ...(orders === 0 ? {} : { orders: { total: orders, states } }),
    changes: { total: sumOf(outcomes), outcomes, verbs: rowSums(changes) },
  };
}

function nonZero(entries: readonly (readonly [string, number])[]): Counts {
  return Object.fromEntries(entries.filter(([, count]) => count > 0));
}

function requestPart(requests: Requests): Required<Pick<TickLine, 'requests'>> {
  const verbs = nonZero(REQUEST_VERBS.map((verb) => [verb, countRequests(requests, verb)]));
  const answers = nonZero(ANSWER_CLASSES.map((answer) => [answer, countAnswers(requests, answer)]));
  const throttled = countAnswers(requests, '429');
  return { requests: { total: sumOf(verbs), verbs, answers, retries: requests.retries, throttled } };
}

function lagPart(now: Instant | undefined, lag: Lag): Required<Pick<TickLine, 'lag'>> {
  const { lastCompleted } = lag;
  const known = lastCompleted === undefined || now === undefined ? {} : { seconds: now - lastCompleted };
  return { lag: { ...toLagDocument(lag), ...known } };
}

function levelOf(exitCode: number): Level {
  if (exitCode === 0) return 'info';
  return exitCode === 3 ? 'warn' : 'error';
}

const ENDS: Readonly<Record<number, string>> = { 0: 'done', 3: 'done in part' };

function sentence(
  { exitCode, durations }: TickRecord,
  { orders, changes }: OutcomePart,
  verdicts: readonly Verdict[],
): string {
  const end = `tick ${ENDS[exitCode] ?? 'failed'} in ${durations.total} ms`;
  if (changes === undefined) return end;
  const sums = verdicts.length === 0 ? '' : `: ${verdictCounts(verdicts)}`;
  const written = Object.entries(changes.outcomes).map(([word, count]) => `${grouped(count)} ${word}`);
  const told = orders === undefined ? undefined : stateCountsText(orders.states);
  const writes = written.length === 0 ? 'no changes' : `changes: ${written.join(', ')}`;
  return [
    end,
    `${plural(verdicts.length, 'schedule')}${sums}`,
    ...(told === undefined ? [] : [told]),
    writes,
  ].join('; ');
}

/** The one line that sums a tick up. */
export function tickLine(record: TickRecord, { version, dryRun, told }: TickLineOptions): LogLine<TickLine> {
  const { exitCode, now, outcome, durations, requests, lag, shard } = record;
  const verdicts = outcome === undefined ? [] : finalVerdicts(outcome).map(({ verdict }) => verdict);
  const part = outcome === undefined ? {} : outcomePart(outcome, verdicts);
  return {
    level: levelOf(exitCode),
    msg: sentence(record, part, verdicts),
    type: 'tick',
    version,
    ...(now === undefined ? {} : { now: formatInstant(now) }),
    exitCode,
    completed: isCompleted(record),
    ...(dryRun ? { dryRun } : {}),
    ...(shard === undefined ? {} : { shard }),
    ...(lag === undefined ? {} : lagPart(now, lag)),
    durationMs: durations,
    ...part,
    ...(requests === undefined ? {} : requestPart(requests)),
    diagnostics: told,
  };
}
