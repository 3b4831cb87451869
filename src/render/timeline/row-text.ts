import { keyText } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { hasZonePrefix } from '#core/slot/prefix.ts';
import type { Timeline, TimelineRow } from '#core/timeline/timeline.ts';
import { escapeText } from '#render/escape-text.ts';
import { plural } from '#render/plural.ts';

/** `harbor/nightly`, safe to print. */
export function nameText(key: ObjectKey): string {
  return escapeText(keyText(key).slice(key.kind.length + 1));
}

/** `3 schedules, 20 slots` */
export function countsText({ rows }: Timeline): string {
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return `${plural(rows.length, 'schedule')}, ${plural(count, 'slot')}`;
}

/** `0 3 * * * Europe/Berlin`, the zone once; the zone alone where the expression is not known. Safe to print. */
export function timingText({ expression, zone }: TimelineRow): string {
  const parts =
    expression !== undefined && hasZonePrefix(expression) ? [expression] : [expression, zone?.name];
  return parts.flatMap((part) => (part === undefined ? [] : [escapeText(part)])).join(' ');
}

/** What becomes of slots in a pause; empty where nothing suspends. */
export function pauseText({ suspendedSlots }: Pick<TimelineRow, 'suspendedSlots'>): string {
  switch (suspendedSlots) {
    case 'consumed':
      return 'slots that pass in the pause are not made up for';
    case 'owed':
      return 'the latest slot is kept for the end of the pause';
    case 'none':
      return '';
  }
}

/** What holds for all slots of a schedule, safe to print. */
export function remarks(row: TimelineRow): readonly string[] {
  return [
    ...(row.suspended ? [`suspended: ${pauseText(row)}`] : []),
    ...(row.observed ? ['observed: somebody else acts on it'] : []),
    ...row.notes.map(escapeText),
  ];
}

/** Why a schedule has no slot in the window, safe to print. */
export function whyText({ why = '', verdict }: TimelineRow): string {
  const said = escapeText(why);
  if (verdict === 'invalid') return why === 'invalid' ? 'invalid' : `invalid: ${said}`;
  if (verdict === 'unreadable') return why === 'unreadable' ? 'unreadable' : `unreadable: ${said}`;
  return why === 'none within this time' ? 'no slot in this window' : said;
}
