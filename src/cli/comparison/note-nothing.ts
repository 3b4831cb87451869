import type { Io } from '#cli/io.ts';
import { leftOutText, noteEmptyNamespaces } from '#cli/nothing-selected.ts';
import type { Selection } from '#cli/select.ts';
import type { Tick } from '#cli/tick.ts';
import { keyId } from '#core/object/key.ts';

/** Says where there was nothing to compare: a slip in a path, a namespace or a label would pass for peace. */
export function noteNothing(selection: Selection, decided: readonly Tick[], io: Io): void {
  const schedules = decided.flatMap(({ reconciliation }) => reconciliation.changeSet.schedules);
  const both = decided.flatMap(({ leftOut }) => leftOut.map((key) => [keyId(key), key] as const));
  const leftOut = [...new Map(both).values()];
  noteEmptyNamespaces(selection, { schedules, leftOut }, io);
  if (schedules.length > 0 || (selection.namespaces ?? []).length > 0) return;
  const which = selection.selector === undefined ? '' : ' with these labels';
  io.stderr.write(`note: neither side has a schedule${which}${leftOutText(leftOut)}\n`);
}
