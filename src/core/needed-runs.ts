import { type Draft, draftSchedules, type ReconcileInput } from '#core/draft.ts';
import type { ScheduleKind } from '#core/kind.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { listingOf, type Observed } from '#core/observed.ts';
import { isQuiet } from '#core/quiet.ts';
import { plannedOutcomes, settle } from '#core/settle.ts';
import { isSwept } from '#core/sweep.ts';
import type { Instant } from '#core/time/instant.ts';

/** What schedules alone say of the runs that a tick needs. */
export interface NeededRuns {
  /** The namespaces in which something depends on runs of a kind, or that are swept. */
  readonly namespaces: ReadonlyMap<ScheduleKind, ReadonlySet<string>>;
  /** What was decided for good about all others. */
  readonly quiet: ReadonlyMap<SourcedObject, Draft>;
}

const NOTHING_KNOWN: ReadonlySet<string> = new Set();

/** The draft with what follows from it, if its runs can be left unread. */
function quietDraft(draft: Draft, now: Instant): Draft | undefined {
  if (draft.state === 'verdict') return draft.needsRuns === true ? undefined : draft;
  const settlement = settle(draft.entry, plannedOutcomes(draft.entry), NOTHING_KNOWN, now);
  if (!isQuiet(draft.entry, settlement)) return undefined;
  // Which events are known is not yet known.
  return settlement.events.length === 0 ? { ...draft, settlement } : draft;
}

function kindOf(draft: Draft): ScheduleKind {
  return draft.state === 'entry' ? draft.entry.kind : draft.kind;
}

/** The namespaces of everything that runs of a kind are read for. */
export function homesOf({ resource, retention }: ScheduleKind, observed: Observed): ReadonlySet<string> {
  const homes = new Set<string>();
  for (const type of [resource, ...(retention === undefined ? [] : [retention.resource])]) {
    const listing = listingOf(observed, type);
    if (listing.state !== 'read') continue;
    for (const { object } of listing.objects) homes.add(object.metadata.namespace ?? '');
  }
  return homes;
}

/**
 * Every schedule decided as if it had no run, by the same code. Where that changes nothing, no run can change more than
 * a sweep makes good; everywhere else they are needed.
 * @param input whose `observed` says of all runs that they are deferred
 */
export function neededRuns(input: ReconcileInput): NeededRuns {
  const { kinds, observed, now } = input;
  const namespaces = new Map(
    kinds.map((kind) => [kind, new Set([...homesOf(kind, observed)].filter((one) => isSwept(one, now)))]),
  );
  const quiet = new Map<SourcedObject, Draft>();
  for (const draft of draftSchedules(input)) {
    const { source } = draft;
    const settled = quietDraft(draft, now);
    if (settled === undefined) namespaces.get(kindOf(draft))?.add(source.object.metadata.namespace ?? '');
    else quiet.set(source, settled);
  }
  return { namespaces, quiet };
}
