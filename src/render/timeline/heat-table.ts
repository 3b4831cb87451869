import type { Peak } from '#core/timeline/starts.ts';
import type { Timeline } from '#core/timeline/timeline.ts';
import { escapeMarkup, markup } from '#render/escape-markup.ts';
import { plural } from '#render/plural.ts';
import { heatLevel, LEVELS } from './heat-level.ts';
import { peakDay, peakMinute, peakSchedules } from './starts-text.ts';

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function range(length: number): readonly number[] {
  return [...Array(length).keys()];
}

/** Starts per minute of the day: a row for each hour, a column for each minute. */
export function heatTable({ starts, zone }: Timeline): string {
  const head = range(60).map((minute) => `<th scope="col"><span>${twoDigits(minute)}</span></th>`);
  const lines = range(24).map((hour) => {
    const cells = range(60).map((minute) => {
      const found = starts.minutes[hour * 60 + minute];
      return found === undefined
        ? '<td>'
        : `<td class="h${heatLevel(found.most, starts.most)}"><span>${found.most}</span>`;
    });
    return `<tr><th scope="row">${twoDigits(hour)}</th>${cells.join('')}`;
  });
  return `<table id="heat">
<caption>The most starts in each minute of the day, in ${escapeMarkup(zone.name)}; hours down, minutes across</caption>
<thead><tr><td></td>${head.join('')}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody>
</table>`;
}

/** From little to much. */
export function heatScale({ starts }: Timeline): string {
  if (starts.most === 0) return '';
  const levels = range(LEVELS).map((index) => `<i class="h${index + 1}"></i>`);
  return `<p class="scale" aria-hidden="true">1 ${levels.join('')} ${starts.most}</p>`;
}

function peakRow(peak: Peak, timeline: Timeline): string {
  return (
    `<tr><th scope="row">${peakMinute(peak)}</th><td class="number">${peak.most}</td>` +
    `<td>${markup(peakDay(peak, timeline))}</td><td class="number">${peak.total}</td>` +
    `<td class="objects">${markup(peakSchedules(peak))}</td></tr>`
  );
}

/** The busiest minutes as a table; nothing where no two schedules start together. */
export function peakTable(timeline: Timeline): string {
  const { peaks } = timeline.starts;
  if (peaks.length === 0) return '';
  return `<table id="peaks">
<caption>The ${peaks.length === 1 ? 'busiest minute' : plural(peaks.length, 'busiest minute')} of the day</caption>
<thead><tr><th scope="col">Minute</th><th scope="col">Most at once</th><th scope="col">First on</th><th scope="col">On all days</th><th scope="col">Schedules</th></tr></thead>
<tbody>
${peaks.map((peak) => peakRow(peak, timeline)).join('\n')}
</tbody>
</table>`;
}
