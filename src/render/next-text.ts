import type { ForecastSlot, ScheduleForecast } from '#core/forecast.ts';
import { compareKeys } from '#core/object/key.ts';
import type { Instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';
import { localText, utcText } from '#render/moment-text.ts';
import { objectText } from '#render/object-text.ts';
import { distanceText } from '#render/span-text.ts';
import { table } from '#render/table.ts';
import type { TextOptions } from '#render/text-options.ts';
import { noneText, partText, type UnreadOptions } from '#render/unread-text.ts';

interface Row {
  readonly schedule: ScheduleForecast;
  readonly slot: ForecastSlot;
}

function noteOf({ schedule, slot }: Row): string {
  const notes = [
    ...(schedule.suspended ? ['suspended'] : []),
    ...(schedule.observed ? ['observed'] : []),
    ...(slot.until === undefined ? [] : ['fixed once the object has a uid']),
    ...(slot.note === undefined ? [] : [escapeText(slot.note)]),
  ];
  return notes.join('; ');
}

/** The slot, or the range in which it will lie. */
function spanned({ slot, until }: ForecastSlot, text: (at: Instant) => string): string {
  return until === undefined ? text(slot) : `${text(slot)} to ${text(until)}`;
}

function cells(row: Row, now: Instant): readonly string[] {
  const { schedule, slot } = row;
  const { zone } = schedule;
  const inUtc = (at: Instant): string => utcText(at).replace(/ UTC$/, '');
  const local = (at: Instant): string => (zone === undefined ? utcText(at) : localText(at, zone));
  const name = zone === undefined ? '' : ` ${escapeText(zone.name)}`;
  return [
    spanned(slot, inUtc),
    spanned(slot, local) + name,
    distanceText(slot.slot - now),
    objectText(schedule.key),
    noteOf(row),
  ];
}

/** The next slots of all schedules in the order of time, then the schedules without any. Ends with a line break. */
export function nextSlotsText(
  schedules: readonly ScheduleForecast[],
  now: Instant,
  options: TextOptions & UnreadOptions,
): string {
  if (schedules.length === 0) return `${noneText(options)}\n`;
  const rows = schedules
    .flatMap((schedule) => schedule.slots.map((slot): Row => ({ schedule, slot })))
    .sort((a, b) => a.slot.slot - b.slot.slot || compareKeys(a.schedule.key, b.schedule.key));
  const [head = '', ...lines] = table(
    ['UTC', 'LOCAL', 'IN', 'OBJECT', 'NOTE'],
    rows.map((row) => cells(row, now)),
  );
  const listed = rows.length === 0 ? [] : [options.palette.faint(head), ...lines];
  const none = schedules
    .filter(({ slots }) => slots.length === 0)
    .map(({ key, why = '' }) => `No next slot for ${objectText(key)}: ${escapeText(why)}.`);
  const gap = listed.length > 0 && none.length > 0 ? [''] : [];
  const missing = partText(options);
  const end = missing === undefined ? [] : ['', missing];
  return `${[...listed, ...gap, ...none, ...end].join('\n')}\n`;
}
