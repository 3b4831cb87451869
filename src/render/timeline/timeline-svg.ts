import { secondOfDay } from '#core/timeline/days.ts';
import { minuteText } from '#core/timeline/document.ts';
import type { Timeline, TimelineRow } from '#core/timeline/timeline.ts';
import { escapeMarkup, markup } from '#render/escape-markup.ts';
import { objectText } from '#render/object-text.ts';
import { noneText, partText, type UnreadOptions } from '#render/unread-text.ts';
import { wrap } from '#render/wrap.ts';
import { dayParts, daysText } from './day-text.ts';
import { heatLevel } from './heat-level.ts';
import { barsText, usedLooks } from './piece-text.ts';
import { countsText, remarks, timingText, whyText } from './row-text.ts';
import { peakMinute, peakText, startsSentence } from './starts-text.ts';
import { type DayBox, markShape, svgPiece } from './svg-piece.ts';
import { SVG_STYLE } from './svg-style.ts';

const MARGIN = 24;
const NAMES = 300;
const CALENDAR = 1000;
const WIDTH = MARGIN * 2 + NAMES + CALENDAR;
const LINE = 15;
const HEAT_ROW = 11;
const DAY = 86_400;
/** Characters that fit into the column of names, and into a line over the whole width. */
const NAME_CHARACTERS = 46;
const LINE_CHARACTERS = 190;

/** Something drawn, and how far down the picture it reaches. */
interface Block {
  readonly text: string;
  readonly bottom: number;
}

function pieces(word: string, size: number): readonly string[] {
  const characters = [...word];
  return [...Array(Math.max(1, Math.ceil(characters.length / size))).keys()].map((index) =>
    characters.slice(index * size, index * size + size).join(''),
  );
}

/** Lines that fit; words of objects may be longer than a line, and are then parted. */
function chunks(text: string, size: number): readonly string[] {
  return wrap(text, size).flatMap((line) => pieces(line, size));
}

function textLines(lines: readonly string[], kind: string, x: number, y: number): string {
  return lines
    .map((line, index) => `<text class="${kind}" x="${x}" y="${y + index * LINE}">${markup(line)}</text>`)
    .join('');
}

function dayBoxes({ days }: Timeline): readonly Omit<DayBox, 'y'>[] {
  const width = CALENDAR / Math.max(1, days.length);
  return days.map((day, index) => ({
    day,
    x: Math.round((MARGIN + NAMES + index * width) * 10) / 10,
    width,
  }));
}

function head(timeline: Timeline, y: number): string {
  return dayBoxes(timeline)
    .map(({ day, x, width }) => {
      const { weekday, day: number, month } = dayParts(day);
      const said = width > 70 ? `${weekday} ${number} ${month}` : String(number);
      return `<text class="head" x="${x + 4}" y="${y}">${said}</text>`;
    })
    .join('');
}

function rowBlock(row: TimelineRow, timeline: Timeline, top: number): Block {
  const names = chunks(objectText(row.key), NAME_CHARACTERS);
  const below = [timingText(row), ...(row.why === undefined ? remarks(row) : [])]
    .filter((text) => text !== '')
    .flatMap((text) => chunks(text, NAME_CHARACTERS + 6));
  const said =
    row.why === undefined ? [] : chunks([whyText(row), ...remarks(row)].join('; '), LINE_CHARACTERS - 50);
  const height = Math.max(names.length + below.length, said.length) * LINE + 8;
  const y = top + height / 2;
  const drawn = dayBoxes(timeline).flatMap((box, index) =>
    (row.days[index] ?? []).map((piece) => svgPiece(piece, row, { ...box, y }, timeline)),
  );
  const text = [
    '<g>',
    `<line class="line" x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${top}" y2="${top}"/>`,
    textLines(names, '', MARGIN, top + LINE),
    textLines(below, 'muted small', MARGIN, top + LINE * (names.length + 1)),
    textLines(said, 'muted', MARGIN + NAMES + 4, top + LINE),
    ...drawn,
    '</g>',
  ].join('');
  return { text, bottom: top + height };
}

/** Lines between the days, and where now is. */
function grid(timeline: Timeline, top: number, bottom: number): string {
  const { now, zone } = timeline;
  const lines = dayBoxes(timeline).map(({ day, x, width }) => {
    const edge = `<line class="line" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}"/>`;
    if (now < day.from || now >= day.end) return edge;
    const place = Math.round((x + (secondOfDay(zone, now) * width) / DAY) * 10) / 10;
    return `${edge}<line class="now" x1="${place}" x2="${place}" y1="${top}" y2="${bottom}"><title>now</title></line>`;
  });
  return lines.join('');
}

function legend(timeline: Timeline, top: number): Block {
  let x = MARGIN + 8;
  const items = usedLooks(timeline).map((look) => {
    const item = `${markShape(look, x, top + 16)}<text x="${x + 12}" y="${top + 20}">${markup(look.label)}</text>`;
    x += 40 + look.label.length * 6.5;
    return item;
  });
  const bars = barsText(timeline);
  if (bars !== undefined) items.push(`<text x="${x - 8}" y="${top + 20}">${bars}</text>`);
  return { text: items.join(''), bottom: items.length === 0 ? top : top + 32 };
}

/** Starts per minute of the day: hours down, minutes across. */
function heat(timeline: Timeline, top: number): Block {
  const { starts } = timeline;
  const width = CALENDAR / 60;
  const cells = [...Array(24).keys()].flatMap((hour) => {
    const y = top + 44 + hour * HEAT_ROW;
    const label = `<text class="muted small" x="${MARGIN}" y="${y + 9}">${minuteText(hour * 60)}</text>`;
    const minutes = [...Array(60).keys()].map((minute) => {
      const minuteOfDay = hour * 60 + minute;
      const found = starts.minutes[minuteOfDay];
      const x = Math.round((MARGIN + 50 + minute * width) * 10) / 10;
      const level = found === undefined ? 0 : heatLevel(found.most, starts.most);
      const size = `x="${x}" y="${y}" width="${Math.round(width * 10) / 10 - 1}" height="${HEAT_ROW - 1}"`;
      return found === undefined
        ? `<rect class="h0" ${size}/>`
        : `<rect class="h${level}" ${size}><title>${minuteText(minuteOfDay)}: at most ${found.most} at once, ${found.total} on all days together</title></rect>`;
    });
    return [label, ...minutes];
  });
  const lines = [
    startsSentence(timeline),
    ...starts.peaks.map((peak) => `${peakMinute(peak)}: ${peakText(peak, timeline)}`),
  ].flatMap((line) => chunks(line, LINE_CHARACTERS));
  const below = top + 44 + 24 * HEAT_ROW + 20;
  const title = `<text class="head" x="${MARGIN}" y="${top + 30}">Starts per minute of the day: hours down, minutes across; the stronger the colour the more, ${starts.most} at most</text>`;
  return {
    text: `<g>${title}${cells.join('')}${textLines(lines, '', MARGIN, below)}</g>`,
    bottom: below + lines.length * LINE,
  };
}

/** The timeline as a picture that needs nothing else. Ends with a line break. */
export function timelineSvg(timeline: Timeline, options: UnreadOptions = {}): string {
  const { rows, days, zone } = timeline;
  const title = `Timeline: ${daysText(days)}, ${zone.name}`;
  const missing = rows.length === 0 ? noneText(options) : partText(options);
  const said = `${countsText(timeline)}. ${startsSentence(timeline)}`;
  const description = missing === undefined ? said : `${said} ${missing}`;
  const top = 92;
  const blocks: Block[] = [];
  let bottom = top;
  for (const row of rows) {
    const block = rowBlock(row, timeline, bottom);
    blocks.push(block);
    bottom = block.bottom;
  }
  const marks = legend(timeline, bottom + 4);
  const starts = heat(timeline, marks.bottom);
  const height = Math.ceil(starts.bottom + MARGIN);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">${escapeMarkup(title)}</title>
<desc id="description">${escapeMarkup(description)}</desc>
<style>${SVG_STYLE}</style>
<rect class="page" width="${WIDTH}" height="${height}"/>
<text class="title" x="${MARGIN}" y="36">${escapeMarkup(title)}</text>
<text class="muted" x="${MARGIN}" y="56">${escapeMarkup(description)}</text>
${head(timeline, top - 8)}
${grid(timeline, top, bottom)}
${blocks.map(({ text }) => text).join('\n')}
${marks.text}
${starts.text}
</svg>
`;
}
