import type { Backfill } from '#core/backfill.ts';
import type { Instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';
import { utcText } from '#render/moment-text.ts';
import { plural } from '#render/plural.ts';

export interface BackfillRange {
  readonly from: Instant;
  readonly to: Instant;
  readonly maxCreates: number;
  readonly maxCreatesPerLane?: number | undefined;
}

function whyLeft(
  leftBy: NonNullable<Backfill['leftBy']>,
  { maxCreates, maxCreatesPerLane }: BackfillRange,
): string {
  switch (leftBy) {
    case 'budget':
      return `--max-creates is ${maxCreates}`;
    case 'lane':
      return `budgets.maxCreatesPerLane is ${maxCreatesPerLane}`;
    case 'concurrency':
      return 'its concurrencyPolicy lets one slot run at a time; --despite-running starts all at once';
  }
}

function leftText({ left, leftBy }: Backfill, range: BackfillRange): string[] {
  if (leftBy === undefined) return [];
  const [stays, it] = left === 1 ? ['is', 'it'] : ['are', 'them'];
  const why = whyLeft(leftBy, range);
  return [`${plural(left, 'missing run')} ${stays} left: ${why}. The same command makes ${it} later.`];
}

/** What a range has and lacks. Ends with a line break. */
export function backfillText(backfill: Backfill, range: BackfillRange): string {
  const { slots, settled, unmet, reconciliation } = backfill;
  const { creates } = reconciliation.changeSet.counts;
  const which = `from ${utcText(range.from)} to ${utcText(range.to)}`;
  const lines = [
    `${plural(slots, 'slot')} ${which}: ${settled} settled, ${plural(creates, 'run')} to make.`,
    ...leftText(backfill, range),
    ...unmet.map((why) => `Not made: ${escapeText(why)}.`),
  ];
  return `${lines.join('\n')}\n`;
}
