import { selectionOf } from '#cli/select.ts';
import { type Tick, wholeChangeSet } from '#cli/tick.ts';
import type { ComparedSide } from '#core/comparison/lookup.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import { keyOf } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { DiffRequest } from './decide-side.ts';
import { nameOf } from './side.ts';
import { isComplete, type SideInput, withoutRevision } from './side-input.ts';
import { unseenKeys } from './unread-store.ts';
import { unusableKeys } from './world.ts';

/** What a schedule points to and is nowhere on its side: it may stand elsewhere, so it is no more than a warning. */
function absentReferents({ reconciliation }: Tick): readonly Diagnostic[] {
  return [...reconciliation.entries.values()].flatMap(({ schedule }) =>
    schedule.absent().map((finding) => ({ ...finding, object: keyOf(schedule.object) })),
  );
}

/** A side as it was decided. */
export function comparedSide(
  { side, other }: { readonly side: SideInput; readonly other: SideInput },
  tick: Tick,
  sources: readonly SourcedObject[],
  { flags, read }: Pick<DiffRequest, 'flags' | 'read'>,
): ComparedSide {
  const { source, input } = side;
  const selection = selectionOf(flags, read.config);
  return {
    name: nameOf(source),
    reconciliation: tick.reconciliation,
    sources,
    unusable: unusableKeys(input),
    unseen: unseenKeys(sources, tick, selection),
    complete: isComplete(side, other),
    diagnostics: withoutRevision(
      [...wholeChangeSet(tick, input).diagnostics, ...absentReferents(tick)],
      source,
    ),
  };
}
