import type { Timeline } from '#core/timeline/timeline.ts';
import { escapeMarkup, markup } from '#render/escape-markup.ts';
import { isUtc, localText, utcText } from '#render/moment-text.ts';
import { noneText, partText, type UnreadOptions } from '#render/unread-text.ts';
import { calendarTable } from './calendar-table.ts';
import { daysText } from './day-text.ts';
import { heatScale, heatTable, peakTable } from './heat-table.ts';
import { inertJson, pageData } from './page-data.ts';
import { PAGE_SCRIPT, PAGE_SCRIPT_HASH } from './page-script.ts';
import { PAGE_STYLE, PAGE_STYLE_HASH } from './page-style.ts';
import { barsText, usedLooks } from './piece-text.ts';
import { countsText } from './row-text.ts';
import { startsSentence } from './starts-text.ts';

/** Nothing is loaded, and nothing runs but the one script and the one style sheet of this page. */
const POLICY = [
  "default-src 'none'",
  `script-src '${PAGE_SCRIPT_HASH}'`,
  `style-src '${PAGE_STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const DATE = /\w{3} \d{4}-\d\d-\d\d(?: \d\d:\d\d)?/g;

function facts(timeline: Timeline, options: UnreadOptions): string {
  const { rows, zone, now } = timeline;
  const local = isUtc(zone) ? utcText(now) : `${localText(now, zone)} ${zone.name}`;
  const sentences = [`${countsText(timeline)}.`, startsSentence(timeline), `As of ${local}.`];
  const missing = rows.length === 0 ? noneText(options) : partText(options);
  const warning = missing === undefined ? '' : `\n<p class="warning">${missing}</p>`;
  const said = escapeMarkup(sentences.join(' '));
  return `<p>${said.replace(DATE, '<span class="date">$&</span>')}</p>${warning}`;
}

/** Only what is on the page. */
function legend(timeline: Timeline): string {
  const items = usedLooks(timeline).map(({ id, letter, label, tone }) => {
    const shown = id === 'foretold' ? '' : letter;
    return `<li><span class="mark look-${id} tone-${tone}" aria-hidden="true">${shown}</span>${markup(label)}</li>`;
  });
  const isRanged = timeline.rows.some(({ days }) => days.flat().some((piece) => 'until' in piece));
  const range = '<li><span class="mark range" aria-hidden="true"></span>some time in this range</li>';
  const bars = barsText(timeline);
  const more = [...(isRanged ? [range] : []), ...(bars === undefined ? [] : [`<li>${bars}</li>`])];
  return `<ul id="legend" aria-label="What the marks mean">${items.join('')}${more.join('')}</ul>`;
}

/** The whole timeline as one file that needs no other. Ends with a line break. */
export function timelineHtml(timeline: Timeline, options: UnreadOptions = {}): string {
  const title = `Timeline: ${daysText(timeline.days)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#calendar-title">Skip to the calendar</a>
<header>
<h1>${title}</h1>
<button type="button" id="theme" class="control" data-scripted hidden>Dark theme</button>
${facts(timeline, options)}
</header>
<main>
<section aria-labelledby="calendar-title">
<h2 id="calendar-title" tabindex="-1">Calendar</h2>
<noscript><p>Without scripts the calendar tells how many slots each day has.</p></noscript>
<p class="hint" data-scripted hidden>Point at a slot for its time and fate, or reach it with Tab and go on with the arrow keys; Page Up and Page Down go by days.</p>
<div class="bar" data-scripted hidden><label>Filter <input type="search" id="filter" class="control" autocomplete="off" spellcheck="false"></label><span id="found" class="muted" role="status"></span></div>
${legend(timeline)}
<div class="frame tall" role="region" aria-label="Calendar, scrolls" tabindex="0">
${calendarTable(timeline)}
</div>
</section>
<section aria-labelledby="heat-title">
<h2 id="heat-title">Starts per minute of the day</h2>
<p class="hint">${escapeMarkup(startsSentence(timeline))}</p>
<div class="frame" role="region" aria-label="Starts per minute, scrolls" tabindex="0">
${heatTable(timeline)}
</div>
${heatScale(timeline)}
${peakTable(timeline)}
</section>
</main>
<footer>Times are those of ${escapeMarkup(timeline.zone.name)} where no zone is named. This file loads nothing.</footer>
<div id="tip" aria-hidden="true" hidden></div>
<p id="status" class="unseen" role="status" aria-live="polite"></p>
<script type="application/json" id="data">${inertJson(pageData(timeline))}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}
