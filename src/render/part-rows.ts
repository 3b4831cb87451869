import type { OrderAccount } from '#core/simulation/orders/diary.ts';
import type { PartSpan } from '#core/simulation/orders/kept-spans.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';
import { utcText } from '#render/moment-text.ts';
import { plural } from '#render/plural.ts';
import { spanText } from '#render/span-text.ts';
import type { TextOptions } from '#render/text-options.ts';

/** Rows of one order; more of them nobody reads. */
const MOST_ROWS = 20;
const LONGEST_LABEL = 30;
/** Behind the drawing stands how the parts ended. */
const ROOM_FOR_ENDS = 26;
const FEWEST_CELLS = 10;
/** What a character may stand for. */
const STEPS = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400];

const MARKS: Readonly<Record<PartSpan['end'], string>> = {
  succeeded: '✓',
  failed: '✗',
  stopped: '■',
  running: '▶',
};

/** One place with all that was tried there, or one part. */
interface Row {
  readonly label: string;
  readonly spans: readonly PartSpan[];
}

interface Scale {
  readonly from: Instant;
  readonly until: Instant;
  readonly step: number;
  readonly cells: number;
}

function rowsOf(spans: readonly PartSpan[]): readonly Row[] {
  const places = new Map<string, PartSpan[]>();
  for (const span of spans) {
    const label = span.place === undefined ? span.name : String(span.place);
    const row = places.get(label);
    if (row === undefined) places.set(label, [span]);
    else row.push(span);
  }
  const rows = [...places].map(([label, own]) => ({ label, spans: own }));
  const placeOf = ({ spans: [first] }: Row): number => first?.place ?? 0;
  return rows.sort((a, b) => placeOf(a) - placeOf(b));
}

function scaleOf(spans: readonly PartSpan[], end: Instant, most: number): Scale {
  const from = instant(Math.min(...spans.map((span) => span.from)));
  const until = instant(Math.max(...spans.map((span) => span.until ?? end)));
  const length = Math.max(1, until - from);
  const step = STEPS.find((one) => length / one < most) ?? Math.ceil(length / (most - 1));
  return { from, until, step, cells: Math.floor(length / step) + 1 };
}

function drawn({ spans }: Row, { from, until, step, cells }: Scale): string {
  const line: string[] = Array.from({ length: cells }, () => ' ');
  const cellOf = (at: Instant): number => Math.min(cells - 1, Math.floor((at - from) / step));
  for (const span of spans) {
    const last = cellOf(span.until ?? until);
    for (let cell = cellOf(span.from); cell < last; cell++) if (line[cell] === ' ') line[cell] = '━';
    line[last] = MARKS[span.end];
  }
  return line.join('');
}

function howEnded({ end, exitCode, disrupted }: PartSpan): string {
  if (end !== 'failed') return end;
  if (disrupted === true) return 'disrupted';
  return exitCode === undefined ? end : `exit ${exitCode}`;
}

function endWord(span: PartSpan): string {
  const { restarts } = span;
  const word = howEnded(span);
  return restarts === 0 ? word : `${word} after ${plural(restarts, 'restart')}`;
}

/** `2 × exit 42, succeeded` */
function endsText({ spans }: Row): string {
  const groups: { readonly word: string; count: number }[] = [];
  for (const word of spans.map(endWord)) {
    const last = groups.at(-1);
    if (last?.word === word) last.count += 1;
    else groups.push({ word, count: 1 });
  }
  return groups.map(({ word, count }) => (count === 1 ? word : `${count} × ${word}`)).join(', ');
}

function labelOf({ label }: Row): string {
  const safe = escapeText(label);
  return safe.length > LONGEST_LABEL ? `…${safe.slice(1 - LONGEST_LABEL)}` : safe;
}

/** What is counted and has no row; of an index that has one, what began in it too often to be kept. */
function leftLines({ parts, places }: OrderAccount, rows: number, drawn: number): readonly string[] {
  const left = parts.started - drawn;
  if (left === 0) return [];
  const pods = plural(left, 'pod');
  const indexes = (places ?? rows) - rows;
  const what = indexes === 0 ? `${pods} more` : `${plural(indexes, 'index', 'indexes')} more (${pods})`;
  return [`${what}, counted and not drawn`];
}

/** The pods of an order over time: a row for each index, or for each pod where there are none. */
export function partRows(
  order: OrderAccount,
  { width, until, palette }: TextOptions & { readonly until: Instant },
): readonly string[] {
  const rows = rowsOf(order.spans).slice(0, MOST_ROWS);
  if (rows.length === 0) return leftLines(order, 0, 0);
  const shown = rows.flatMap((row) => row.spans);
  const labels = rows.reduce((widest, row) => Math.max(widest, labelOf(row).length), 0);
  const scale = scaleOf(shown, until, Math.max(FEWEST_CELLS, width - labels - ROOM_FOR_ENDS));
  return [
    palette.faint(`from ${utcText(scale.from)}, ${spanText(scale.step)} a character`),
    ...rows.map((row) => {
      const line = drawn(row, scale).padEnd(scale.cells);
      return `${labelOf(row).padStart(labels)} ${line}  ${endsText(row)}`;
    }),
    ...leftLines(order, rows.length, shown.length),
  ];
}
