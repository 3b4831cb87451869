import type { CalendarDay } from '#core/timeline/days.ts';
import type { Timeline, TimelineRow } from '#core/timeline/timeline.ts';
import { escapeMarkup, markup } from '#render/escape-markup.ts';
import { dayParts, dayText } from './day-text.ts';
import { pieceSlots } from './piece-text.ts';
import { nameText, remarks, timingText, whyText } from './row-text.ts';

function dayHead(day: CalendarDay, today: number): string {
  const { date, weekday, day: number, month } = dayParts(day);
  const mark = day.number === today ? ' class="today" aria-current="date"' : '';
  return `<th scope="col"${mark}><time datetime="${date}"><b>${weekday}</b> ${number} ${month}</time></th>`;
}

/** The word that sets a row apart, shown beside its name. */
function badge(word: string): string {
  return ` <span class="badge">${word}</span>`;
}

function rowHead(row: TimelineRow): string {
  const { key, suspended, observed, verdict } = row;
  const badges = [
    ...(suspended ? [badge('suspended')] : []),
    ...(observed ? [badge('observed')] : []),
    ...(verdict === 'invalid' || verdict === 'unreadable' ? [badge(verdict)] : []),
  ].join('');
  const timing = timingText(row);
  const when = timing === '' ? '' : `<span class="when">${markup(timing)}</span>`;
  const notes = row.why === undefined ? row.notes : [];
  const told = notes.map((text) => `<span class="note">${escapeMarkup(text)}</span>`);
  return (
    `<th scope="row"><span class="kind">${escapeMarkup(key.kind)}</span> ` +
    `<span class="name">${markup(nameText(key)).replace('/', '/<wbr>')}</span>${badges}${when}${told.join('')}</th>`
  );
}

/** Each day with the number of its slots; the script of the page draws them. */
function cells(row: TimelineRow): string {
  if (row.why !== undefined) {
    const said = [whyText(row), ...remarks(row)].map(markup).join('; ');
    return `<td class="why" colspan="${row.days.length}">${said}</td>`;
  }
  return row.days
    .map((pieces) => {
      const count = pieces.reduce((sum, piece) => sum + pieceSlots(piece), 0);
      return count === 0 ? '<td>' : `<td>${count}`;
    })
    .join('');
}

/** The calendar as a table: a row for each schedule, a column for each day. */
export function calendarTable({ rows, days, zone, now }: Timeline): string {
  const today = days.find(({ from, end }) => now >= from && now < end)?.number ?? Number.NaN;
  const head = days.map((day) => dayHead(day, today)).join('');
  const lines = rows.map((row) => `<tr>${rowHead(row)}${cells(row)}`).join('\n');
  const first = days[0];
  const caption =
    first === undefined
      ? 'Slots of each schedule'
      : `Slots of each schedule by day, in ${escapeMarkup(zone.name)}, from ${dayText(first)}`;
  return `<table id="calendar">
<caption>${caption}</caption>
<thead><tr><th scope="col">Schedule</th>${head}</tr></thead>
<tbody>
${lines}
</tbody>
</table>`;
}
