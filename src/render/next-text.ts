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
    ...(slot.note === undefined ? [] : [escapeText(slot.note)]),
  ];
  return notes.join('; ');
}

function cells(row: Row, now: Instant): readonly string[] {
  const { schedule, slot } = row;
  const { zone } = schedule;
  const local =
    zone === undefined ? utcText(slot.slot) : `${localText(slot.slot, zone)} ${escapeText(zone.name)}`;
  return [
    utcText(slot.slot).replace(/ UTC$/, ''),
    local,
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
