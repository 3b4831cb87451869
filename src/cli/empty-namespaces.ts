import type { ScheduleChanges } from '#core/change/change-set.ts';
import { escapeText } from '#render/escape-text.ts';
import { listed } from '#render/plural.ts';
import type { Io } from './io.ts';
import type { Selection } from './select.ts';

/** Says in which namespaces that were asked for no schedule was found: a slip in a name would pass for peace. */
export function noteEmptyNamespaces(
  { namespaces = [], selector }: Selection,
  schedules: readonly ScheduleChanges[],
  io: Io,
): void {
  const found = new Set(schedules.map(({ key }) => key.namespace));
  const empty = namespaces.filter((name) => !found.has(name));
  if (empty.length === 0) return;
  const which = selector === undefined ? '' : ' with these labels';
  const where = empty.length === 1 ? 'namespace' : 'the namespaces';
  io.stderr.write(`note: no schedules${which} were found in ${where} ${listed(empty.map(escapeText))}\n`);
}
