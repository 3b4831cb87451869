import type { CalendarDay } from '#core/timeline/days.ts';
import { secondOfDay } from '#core/timeline/days.ts';
import type { Timeline, TimelineRow } from '#core/timeline/timeline.ts';
import { escapeText } from '#render/escape-text.ts';
import { objectText } from '#render/object-text.ts';
import type { Palette } from '#render/palette.ts';
import { spanText } from '#render/span-text.ts';
import type { TextOptions } from '#render/text-options.ts';
import { noneText, partText, type UnreadOptions } from '#render/unread-text.ts';
import { hanging, wrap } from '#render/wrap.ts';
import { cellText, dayCells } from './day-cells.ts';
import { dayParts, daysText } from './day-text.ts';
import { usedLooks } from './piece-text.ts';
import { countsText, whyText } from './row-text.ts';
import { peakMinute, peakText, startsSentence } from './starts-text.ts';

const DAY = 86_400;
const HOURS = 24;
/** Of a line, for the names. */
const NAME_PART = 0.36;
/** In front of the hours. */
const LABEL = 6;
const BARS = '▁▂▃▄▅▆▇█';

interface Layout {
  readonly palette: Palette;
  readonly width: number;
  /** Characters of the names. */
  readonly name: number;
  /** Characters of a day. */
  readonly day: number;
  /** Between two days. */
  readonly gap: string;
}

/** Characters of a day that each stand for whole hours. */
function even(most: number): number {
  return [24, 12, 8, 6, 4, 3, 2].find((count) => count <= most) ?? 1;
}

function layoutOf({ rows, days }: Timeline, { palette, width }: TextOptions): Layout {
  const longest = rows.reduce((most, { key }) => Math.max(most, objectText(key).length), 8);
  const name = Math.min(longest, Math.floor(width * NAME_PART));
  const room = Math.max(days.length, width - name - 2);
  const apart = Math.floor((room + 1) / Math.max(1, days.length)) - 1;
  const together = Math.floor(room / Math.max(1, days.length));
  return apart >= 2
    ? { palette, width, name, day: even(apart), gap: ' ' }
    : { palette, width, name, day: even(together), gap: '' };
}

function dayHead(day: CalendarDay, width: number): string {
  const { weekday, day: number, month } = dayParts(day);
  const forms = [`${weekday} ${number} ${month}`, `${weekday} ${number}`, String(number), weekday];
  const fitting = forms.find((form) => form.length <= width) ?? weekday.slice(0, width);
  return fitting.padEnd(width);
}

function headLines({ days, zone, now }: Timeline, { palette, name, day, gap }: Layout): readonly string[] {
  const blank = ' '.repeat(name + 2);
  const head = days.map((one) => dayHead(one, day)).join(gap);
  const index = days.findIndex(({ from, end }) => now >= from && now < end);
  const lines = [palette.faint(`${'SCHEDULE'.padEnd(name)}  ${head}`.trimEnd())];
  if (index < 0) return lines;
  const place = index * (day + gap.length) + Math.floor((secondOfDay(zone, now) * day) / DAY);
  return [...lines, `${blank}${' '.repeat(place)}${palette.bad('▼')} now`];
}

function cellsText(row: TimelineRow, { days, zone }: Timeline, { palette, day, gap }: Layout): string {
  return days
    .map((one, index) =>
      dayCells(row.days[index] ?? [], one, { zone, width: day })
        .map(cellText)
        .map(({ character, tone }) => palette[tone](character))
        .join(''),
    )
    .join(gap);
}

function rowLines(row: TimelineRow, timeline: Timeline, layout: Layout): readonly string[] {
  const { palette, name, width } = layout;
  const shown = objectText(row.key);
  // A name is never cut: a long one has a line of its own.
  const alone = shown.length > name ? [shown] : [];
  const label = `${(alone.length > 0 ? '' : shown).padEnd(name)}  `;
  if (row.why !== undefined) {
    const text = `${row.suspended ? 'suspended; ' : ''}${whyText(row)}`;
    return [...alone, ...hanging(label, text, width).split('\n').map(palette.faint)];
  }
  return [...alone, `${label}${cellsText(row, timeline, layout)}`];
}

function legend(timeline: Timeline, { palette, width, day }: Layout): readonly string[] {
  const { rows, days } = timeline;
  const words = usedLooks(timeline).map(({ letter, label }) => `${letter} = ${label}`);
  const isRanged = rows.some((row) =>
    row.days.flat().some((piece) => piece.shape === 'mark' && piece.until !== undefined),
  );
  const more = [
    '2 to 9 = that many slots',
    '# = ten or more',
    ...(isRanged ? ['~ = one slot, some time in this range'] : []),
    '· = none',
  ];
  const scale = `Each character stands for ${spanText(DAY / day)} of a schedule:`;
  const rule = 'Of several slots that differ the letter is that of the most noteworthy.';
  if (days.length === 0 || words.length === 0) return [];
  return ['', ...wrap(`${scale} ${[...words, ...more].join('; ')}. ${rule}`, width).map(palette.faint)];
}

/** The most starts in one minute of each hour of the day. */
function hourLines({ starts }: Timeline, { palette, width }: Layout): readonly string[] {
  if (starts.most === 0) return [];
  const hours = [...Array(HOURS).keys()].map((hour) => ({
    hour,
    most: starts.minutes
      .slice(hour * 60, hour * 60 + 60)
      .reduce((most, minute) => Math.max(most, minute?.most ?? 0), 0),
  }));
  const cell = Math.max(2, String(starts.most).length);
  const fitting = Math.floor((width - LABEL) / (cell + 1));
  const size = [HOURS, HOURS / 2, HOURS / 4].find((count) => count <= fitting) ?? 1;
  const line = (label: string, texts: readonly string[]): string =>
    `${label.padEnd(LABEL)}${texts.map((text) => text.padStart(cell)).join(' ')}`.trimEnd();
  const bar = (most: number): string =>
    most === 0 ? '' : (BARS[Math.ceil((most * BARS.length) / starts.most) - 1] ?? '');
  return [...Array(HOURS / size).keys()].flatMap((part) => {
    const shown = hours.slice(part * size, part * size + size);
    return [
      palette.faint(
        line(
          'hour',
          shown.map(({ hour }) => String(hour)),
        ),
      ),
      palette.accent(
        line(
          '',
          shown.map(({ most }) => bar(most)),
        ),
      ),
      line(
        'most',
        shown.map(({ most }) => (most === 0 ? '·' : String(most))),
      ),
    ];
  });
}

function peakLines(timeline: Timeline, { width }: Layout): readonly string[] {
  const lines = timeline.starts.peaks.map((peak) => {
    const label = `${peakMinute(peak)}  `;
    return hanging(label, peakText(peak, timeline), width);
  });
  return lines.length === 0
    ? []
    : ['', `${lines.length === 1 ? 'The busiest minute' : 'The busiest minutes'} of the day:`, ...lines];
}

function noteLines({ rows }: Timeline, { width }: Layout): readonly string[] {
  return rows.flatMap(({ key, notes }) =>
    notes.map((note) => hanging('', `${objectText(key)}: ${escapeText(note)}`, width)),
  );
}

function section(title: string, lines: readonly string[], { palette }: Layout): readonly string[] {
  return lines.length === 0 ? [] : ['', palette.strong(title), ...lines];
}

/** The window as a calendar of text, then what starts together. Ends with a line break. */
export function timelineText(timeline: Timeline, options: TextOptions & UnreadOptions): string {
  const { rows, days, zone } = timeline;
  if (rows.length === 0) return `${noneText(options)}\n`;
  const layout = layoutOf(timeline, options);
  const title = `${daysText(days)}, ${escapeText(zone.name)}: ${countsText(timeline)}`;
  const starts = [
    ...hourLines(timeline, layout),
    ...wrap(startsSentence(timeline), layout.width),
    ...peakLines(timeline, layout),
  ];
  const missing = partText(options);
  return `${[
    ...wrap(title, layout.width).map(options.palette.strong),
    '',
    ...headLines(timeline, layout),
    ...rows.flatMap((row) => rowLines(row, timeline, layout)),
    ...legend(timeline, layout),
    ...section('Starts: the most in any one minute of each hour of the day', starts, layout),
    ...section('Clock changes', noteLines(timeline, layout), layout),
    ...(missing === undefined ? [] : ['', missing]),
  ].join('\n')}\n`;
}
