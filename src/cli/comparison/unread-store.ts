import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import type { Io } from '#cli/io.ts';
import { reportDiagnostics } from '#cli/report.ts';
import { isSelected, type Selection } from '#cli/select.ts';
import { type Tick, unreachableDiagnostics } from '#cli/tick.ts';
import { tellUnreachable } from '#cli/unreachable.ts';
import { keyOf } from '#core/object/key.ts';
import type { ObjectKey, SourcedObject } from '#core/object/object.ts';
import { isOfType } from '#core/object/resource.ts';
import { listingOf } from '#core/observed.ts';
import type { DiffRequest } from './decide-side.ts';

/** Another verb would decide as for a first tick; a guard that is to look at what ran may not look at nothing. */
export async function missingState(state: string | undefined, io: Io): Promise<string | undefined> {
  if (state === undefined || (await io.isFolder(state))) return undefined;
  return `--state: there is no folder ${state} that could tell what ran so far`;
}

/** Not one schedule was looked at, those that are spelled out included: they would pass for none. */
function isBlind({ kinds, observed }: Tick): boolean {
  if (kinds.length === 0) return false;
  return kinds.every(({ resource }) => listingOf(observed, resource).state === 'unreadable');
}

/**
 * Tells why no schedule of a side could be read.
 * @returns undefined where there is something to compare
 */
export async function tellUnread(
  decided: readonly Tick[],
  { flags, io }: Pick<DiffRequest, 'flags' | 'io'>,
): Promise<ExitCode | undefined> {
  const blind = decided.find(isBlind);
  if (blind === undefined) return undefined;
  if (flags.state === undefined) return tellUnreachable(unreachableDiagnostics(blind), flags, io);
  // It is no folder of ours: as one that is missing, a slip on the command line.
  await reportDiagnostics(blind.diagnostics, { io, flags, stdin: undefined });
  return EXIT.usage;
}

/** Declared schedules that a tick did not look at, since the list of their type could not be read. */
export function unseenKeys(
  sources: readonly SourcedObject[],
  { kinds, observed }: Tick,
  selection: Selection,
): readonly ObjectKey[] {
  const unread = kinds
    .map(({ resource }) => resource)
    .filter((type) => listingOf(observed, type).state === 'unreadable');
  return sources
    .filter(({ object }) => unread.some((type) => isOfType(object, type)) && isSelected(object, selection))
    .map(({ object }) => keyOf(object));
}
