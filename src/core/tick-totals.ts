import type { AppliedChange } from '#core/change/applied.ts';
import type { Verdict } from '#core/change/verdict.ts';
import { keyId } from '#core/object/key.ts';
import type { WorkState } from '#core/run/driver.ts';
import { isSpent } from '#core/spent-orders.ts';
import type { TickOutcome } from '#core/tick-record.ts';
import { countedState } from '#core/works.ts';

type Verb = AppliedChange['change']['verb'];
type Outcome = AppliedChange['state'];

// A record, so that a verb that is missing here does not compile.
const VERBS: Readonly<Record<Verb, true>> = {
  create: true,
  delete: true,
  annotate: true,
  apply: true,
  release: true,
  event: true,
};
export const CHANGE_VERBS = Object.keys(VERBS) as readonly Verb[];

/** Counts by two words; pairs that did not occur are left out. */
export type Table<Row extends string, Column extends string> = ReadonlyMap<Row, ReadonlyMap<Column, number>>;

function add<Row extends string, Column extends string>(
  table: Map<Row, Map<Column, number>>,
  row: Row,
  column: Column,
): void {
  const counts = table.get(row) ?? new Map<Column, number>();
  counts.set(column, (counts.get(column) ?? 0) + 1);
  table.set(row, counts);
}

/** The verdict of each schedule after its writes, with the kind that it is of. */
export function finalVerdicts({ changeSet, report }: Pick<TickOutcome, 'changeSet' | 'report'>): readonly {
  readonly kind: string;
  readonly verdict: Verdict;
}[] {
  const after = new Map(report.schedules.map(({ schedule, verdict }) => [keyId(schedule.key), verdict]));
  return changeSet.schedules.map(({ key, verdict }) => ({
    kind: key.kind,
    verdict: after.get(keyId(key)) ?? verdict,
  }));
}

export function verdictTable(verdicts: ReturnType<typeof finalVerdicts>): Table<string, Verdict['code']> {
  const table = new Map<string, Map<Verdict['code'], number>>();
  for (const { kind, verdict } of verdicts) add(table, kind, verdict.code);
  return table;
}

/** Slots that are past their deadline, by kind; each once. */
export function expiredSlots(verdicts: ReturnType<typeof finalVerdicts>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, verdict } of verdicts) {
    const slots = (verdict.code === 'expired' ? 1 : 0) + (verdict.expired?.count ?? 0);
    counts.set(kind, (counts.get(kind) ?? 0) + slots);
  }
  return counts;
}

/** Every change by what it was and what came of it. */
export function changeTable({ report }: Pick<TickOutcome, 'report'>): Table<Verb, Outcome> {
  const table = new Map<Verb, Map<Outcome, number>>();
  for (const { applied } of [...report.schedules, ...report.retention, ...report.works]) {
    for (const { change, state } of applied) add(table, change.verb, state);
  }
  return table;
}

/**
 * Every order by where it stands after its writes; one that is over and failed stays `failed`. Those that are spent are
 * not counted: a tick may have done without them.
 */
export function orderTable({
  works,
  report,
}: Pick<TickOutcome, 'works' | 'report'>): Table<string, WorkState> {
  const after = new Map(report.works.map(({ work, state }) => [keyId(work.key), state]));
  const table = new Map<string, Map<WorkState, number>>();
  for (const [id, driven] of works) {
    if (isSpent(driven)) continue;
    const { work } = driven;
    add(table, work.source.object.kind, countedState(work, after.get(id) ?? work.state));
  }
  return table;
}
