/**
 * The script of the page, constant so that its hash is. It draws the slots into the calendar and answers mouse and
 * keyboard. All texts come from the data and go into the page as text.
 */
export const PAGE_SCRIPT = `
'use strict';
(() => {
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId('data').textContent);
const calendar = byId('calendar');
const heat = byId('heat');
const tip = byId('tip');
const status = byId('status');
const DAY = 86400;
const WEEK = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const TIME = /^\\w{3} \\d{4}-\\d\\d-\\d\\d [^;]{5,60}$/;
const UTC = { name: 'UTC', offsets: [[-DAY, 0]] };
const [zone] = data.zones;

/* Times: seconds behind the start of the window. */
const offsetAt = ({ offsets }, at) => offsets.reduce((found, [from, offset]) => (at >= from ? offset : found), offsets[0][1]);
const secondOfDay = (at) => (((data.from + at + offsetAt(zone, at)) % DAY) + DAY) % DAY;
const two = (value) => String(value).padStart(2, '0');
const clock = (second) => two(Math.floor(second / 3600)) + ':' + two(Math.floor(second / 60) % 60) + (second % 60 === 0 ? '' : ':' + two(second % 60));
const offsetText = (offset) => (offset < 0 ? '-' : '+') + two(Math.floor(Math.abs(offset) / 3600)) + ':' + two(Math.floor(Math.abs(offset) / 60) % 60);
const stamp = (where, at) => {
  const offset = offsetAt(where, at);
  const local = new Date((data.from + at + offset) * 1000);
  const day = WEEK[local.getUTCDay()] + ' ' + local.toISOString().slice(0, 10);
  const time = clock(local.getUTCHours() * 3600 + local.getUTCMinutes() * 60 + local.getUTCSeconds());
  return day + ' ' + time + (where.name === 'UTC' ? '' : ' ' + offsetText(offset)) + ' ' + where.name;
};

/* What is said of a piece: the object, the fate, the local time, the time in UTC, the rest. */
const shown = new Map();
const isMark = ([, , , last]) => last === undefined || last === null;
const UNITS = [[3600, 'h'], [60, 'min'], [1, 's']];
const length = (seconds) => {
  let rest = seconds;
  const parts = UNITS.map(([size, unit]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : count + ' ' + unit;
  });
  return parts.filter((part) => part !== '').join(' ') || '0 s';
};
const linesOf = ({ row, piece }) => {
  const [at, look, text = -1, last, , jitter] = piece;
  const where = data.zones[data.rows[row].zone];
  const span = (place) => (isMark(piece) ? stamp(place, at) : stamp(place, at) + ' to ' + stamp(place, last));
  const lines = [data.looks[look][2], span(where)];
  if (where.name !== 'UTC') lines.push(span(UTC));
  if (jitter !== undefined) lines.push('base ' + stamp(where, at - jitter).slice(15).split(' ')[0] + ' and ' + length(jitter) + ' of jitter');
  if (text >= 0) lines.push(data.texts[text]);
  return [calendar.tBodies[0].rows[row].cells[0].querySelector('.name').textContent, ...lines];
};
const heatLines = (minute) => {
  const found = minutes.get(minute);
  const title = clock(minute * 60) + ' in ' + zone.name;
  if (found === undefined) return [title, 'nothing starts'];
  const [, most, at, total] = found;
  return [title, (most === 1 ? '1 start' : 'at most ' + most + ' starts at once') + ', on ' + stamp(zone, at).slice(0, 14), total + ' on all days together'];
};

/* The panel beside what is pointed at or focused. */
let hiding;
const hide = () => { tip.hidden = true; };
const hideSoon = () => {
  clearTimeout(hiding);
  hiding = setTimeout(hide, 200);
};
let anchor;
const place = () => {
  const box = anchor.getBoundingClientRect();
  const { clientWidth: room, clientHeight: high } = document.documentElement;
  if (box.bottom < 0 || box.top > high) { hide(); return; }
  const { offsetWidth: width, offsetHeight: height } = tip;
  const left = Math.min(Math.max(8, box.left + Math.min(box.width, room) / 2 - width / 2), room - width - 8);
  const above = box.top - height - 8;
  tip.style.left = Math.max(8, left) + 'px';
  tip.style.top = (above > 8 ? above : box.bottom + 8) + 'px';
};
const show = (element, lines) => {
  clearTimeout(hiding);
  tip.replaceChildren(...lines.map((line, index) => {
    const part = document.createElement(index === 0 ? 'b' : 'span');
    part.textContent = line;
    if (TIME.test(line)) part.className = 'date';
    return part;
  }));
  tip.hidden = false;
  anchor = element;
  place();
};
const told = (element) => {
  const place = shown.get(element);
  if (place !== undefined) return linesOf(place);
  const cell = element.closest('#heat tbody td');
  return cell === null ? undefined : heatLines(minuteOf(cell));
};
const point = (event) => {
  const element = event.target.closest('.mark, #heat tbody td');
  const lines = element === null ? undefined : told(element);
  if (lines === undefined) hideSoon();
  else show(element, lines);
};
for (const table of [calendar, heat]) {
  table.addEventListener('mouseover', point);
  table.addEventListener('mouseleave', hideSoon);
  table.addEventListener('focusin', (event) => {
    const lines = told(event.target);
    if (lines === undefined) return;
    rove(table, event.target);
    show(event.target, lines);
    status.textContent = lines.join('. ');
  });
  table.addEventListener('focusout', hide);
}
tip.addEventListener('mouseenter', () => clearTimeout(hiding));
tip.addEventListener('mouseleave', hideSoon);
document.addEventListener('keydown', (event) => { if (event.key === 'Escape') hide(); });
document.addEventListener('scroll', () => { if (!tip.hidden) place(); }, true);

/* One element of each table takes part in the order of tabs. */
const current = new Map();
const rove = (table, element) => {
  const before = current.get(table);
  if (before !== undefined) before.tabIndex = -1;
  current.set(table, element);
  if (element !== undefined) element.tabIndex = 0;
};

/* The calendar. */
const rows = data.rows.map(() => []);
const width = (day, from, to) => (to >= data.days[day][1] ? DAY : secondOfDay(to)) - from;
const drawPiece = (row, day, piece) => {
  const [at, look, , last, slots] = piece;
  const count = slots ?? undefined;
  const [id, letter, label, tone] = data.looks[look];
  const isRest = count === 0;
  const element = document.createElement(isRest ? 'span' : 'button');
  const from = secondOfDay(at);
  element.className = 'mark look-' + id + ' tone-' + tone;
  element.style.left = (100 * from) / DAY + '%';
  if (!isMark(piece)) {
    element.classList.add('wide');
    element.style.width = 'max(1.1rem, ' + (100 * Math.max(0, width(day, from, last))) / DAY + '%)';
    if (count === undefined || isRest) element.classList.add('range');
  }
  if (isRest) { element.classList.add('rest'); element.setAttribute('aria-hidden', 'true'); return element; }
  const sign = id === 'foretold' ? '' : letter;
  element.textContent = count === undefined ? sign : sign + ' ' + count;
  element.type = 'button';
  element.tabIndex = -1;
  const time = count === undefined ? clock(from) : clock(from) + ' to ' + clock(secondOfDay(last));
  element.setAttribute('aria-label', time + ', ' + (count === undefined ? '' : count + ' slots, ') + label);
  shown.set(element, { row, piece, index: rows[row].length });
  rows[row].push(element);
  return element;
};
const nowDay = data.days.findIndex(([from, end]) => data.now >= from && data.now < end);
data.rows.forEach(({ days }, row) => {
  const line = calendar.tBodies[0].rows[row];
  if (line.cells.length !== days.length + 1) return;
  days.forEach((pieces, day) => {
    const lane = document.createElement('div');
    lane.className = 'lane';
    if (day === nowDay) {
      const mark = document.createElement('i');
      mark.style.left = (100 * secondOfDay(data.now)) / DAY + '%';
      lane.append(mark);
    }
    lane.append(...pieces.map((piece) => drawPiece(row, day, piece)));
    line.cells[day + 1].replaceChildren(lane);
  });
});
const isVisible = (row) => !calendar.tBodies[0].rows[row].hidden;
const timeOf = (element) => shown.get(element).piece[0];
const firstMark = () => {
  const marks = rows.filter((_, row) => isVisible(row)).flat();
  return marks.find((element) => timeOf(element) >= data.now) || marks[0];
};
rove(calendar, firstMark());
const otherRow = (element, step) => {
  const { row } = shown.get(element);
  let next = row + step;
  while (rows[next] !== undefined && (rows[next].length === 0 || !isVisible(next))) next += step;
  if (rows[next] === undefined) return undefined;
  const at = timeOf(element);
  return rows[next].reduce((best, one) => (Math.abs(timeOf(one) - at) < Math.abs(timeOf(best) - at) ? one : best));
};
const dayOf = (element) => Math.floor((data.from + timeOf(element) + offsetAt(zone, timeOf(element))) / DAY);
const otherDay = (element, step) => {
  const marks = rows[shown.get(element).row];
  const beyond = marks.filter((one) => Math.sign(dayOf(one) - dayOf(element)) === step);
  const day = beyond.length === 0 ? undefined : dayOf(beyond.at(step > 0 ? 0 : -1));
  return beyond.find((one) => dayOf(one) === day);
};
const MOVES = {
  ArrowRight: (element) => rows[shown.get(element).row][shown.get(element).index + 1],
  ArrowLeft: (element) => rows[shown.get(element).row][shown.get(element).index - 1],
  ArrowDown: (element) => otherRow(element, 1),
  ArrowUp: (element) => otherRow(element, -1),
  PageDown: (element) => otherDay(element, 1),
  PageUp: (element) => otherDay(element, -1),
  Home: (element) => rows[shown.get(element).row][0],
  End: (element) => rows[shown.get(element).row].at(-1),
};
const go = (event, element) => {
  event.preventDefault();
  if (element === undefined) return;
  element.focus();
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
};
calendar.addEventListener('keydown', (event) => {
  const move = MOVES[event.key];
  if (move !== undefined && shown.has(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey)
    go(event, move(event.target));
});

/* Starts per minute of the day. */
const minutes = new Map(data.minutes.map((found) => [found[0], found]));
const minuteOf = (cell) => (cell.parentElement.sectionRowIndex) * 60 + cell.cellIndex - 1;
const cellAt = (minute) => heat.tBodies[0].rows[Math.floor(minute / 60)].cells[(minute % 60) + 1];
heat.setAttribute('role', 'grid');
for (const line of heat.tBodies[0].rows) {
  for (const cell of line.cells) {
    if (cell.cellIndex === 0) continue;
    cell.tabIndex = -1;
    cell.setAttribute('aria-label', heatLines(minuteOf(cell)).join(', '));
  }
}
const busiest = data.minutes.reduce((best, one) => (best === undefined || one[1] > best[1] ? one : best), undefined);
rove(heat, cellAt(busiest === undefined ? 0 : busiest[0]));
const STEPS = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 60, ArrowUp: -60 };
heat.addEventListener('keydown', (event) => {
  const cell = event.target.closest('tbody td');
  if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const minute = minuteOf(cell);
  const hour = minute - (minute % 60);
  const next = { Home: hour, End: hour + 59 }[event.key] ?? minute + (STEPS[event.key] ?? Number.NaN);
  if (!Number.isNaN(next)) go(event, next >= 0 && next < 1440 ? cellAt(next) : undefined);
});

/* The filter and the theme. */
const filter = byId('filter');
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  const lines = [...calendar.tBodies[0].rows];
  for (const line of lines) {
    const text = line.cells[0].textContent.toLowerCase();
    line.hidden = !words.every((word) => text.includes(word));
  }
  const left = lines.filter((line) => !line.hidden).length;
  byId('found').textContent = words.length === 0 ? '' : left + ' of ' + lines.length + ' schedules';
  const focused = current.get(calendar);
  if (focused === undefined || !isVisible(shown.get(focused).row)) rove(calendar, firstMark());
});
const theme = byId('theme');
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme ?? (prefersDark.matches ? 'dark' : 'light')) === 'dark';
const nameTheme = () => { theme.textContent = isDark() ? 'Light theme' : 'Dark theme'; };
theme.addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  nameTheme();
});
prefersDark.addEventListener('change', nameTheme);
nameTheme();
for (const element of document.querySelectorAll('[data-scripted]')) element.hidden = false;
})();
`;

/** Of the text above, for the content security policy; a test computes it. */
export const PAGE_SCRIPT_HASH = 'sha256-fG++8WQuFOV1Hn1tdlMAqCq6azve7TkFMbqx16YU/Us=';
