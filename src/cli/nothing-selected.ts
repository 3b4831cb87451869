import type { ScheduleChanges } from '#core/change/change-set.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { escapeText } from '#render/escape-text.ts';
import { listed, plural } from '#render/plural.ts';
import type { Io } from './io.ts';
import type { Selection } from './select.ts';

/** What was found, and what is there beside it. */
interface Selected {
  readonly schedules: readonly ScheduleChanges[];
  /** Schedules that were read and not selected. */
  readonly leftOut: readonly ObjectKey[];
}

/** That there is something to be selected: follows what was not found. */
export function leftOutText(leftOut: readonly ObjectKey[]): string {
  return leftOut.length === 0 ? '' : `; ${plural(leftOut.length, 'schedule was', 'schedules were')} left out`;
}

/** Says in which namespaces that were asked for no schedule was found: a slip in a name would pass for peace. */
export function noteEmptyNamespaces(
  { namespaces = [], selector }: Selection,
  { schedules, leftOut }: Selected,
  io: Io,
): void {
  const found = new Set(schedules.map(({ key }) => key.namespace));
  const empty = namespaces.filter((name) => !found.has(name));
  if (empty.length === 0) return;
  const which = selector === undefined ? '' : ' with these labels';
  const where = empty.length === 1 ? 'namespace' : 'the namespaces';
  io.stderr.write(
    `note: no schedules${which} were found in ${where} ${listed(empty.map(escapeText))}${leftOutText(leftOut)}\n`,
  );
}

/** The same of whatever selects: labels that nothing has would pass for peace as well. */
export function noteNothingSelected(selection: Selection, selected: Selected, io: Io): void {
  noteEmptyNamespaces(selection, selected, io);
  if (selection.namespaces !== undefined || selection.selector === undefined) return;
  if (selected.schedules.length > 0 || selected.leftOut.length === 0) return;
  io.stderr.write(`note: no schedules with these labels were found${leftOutText(selected.leftOut)}\n`);
}
