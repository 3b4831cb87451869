import type { DeleteChange } from '#core/change/change.ts';
import { newMask } from '#core/change/mask.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { ScheduleKind } from '#core/kind.ts';
import { compareKeys, compareText, keyId, keyOf } from '#core/object/key.ts';
import type { ObjectKey, SourcedObject } from '#core/object/object.ts';
import { groupOf, type ResourceType, versionOf } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { type Context, compareSchedule, placeOf } from './compare-schedule.ts';
import type { Comparison, ReferentComparison, ScheduleComparison, StatusBasis } from './comparison.ts';
import { declaredDiffs, type SameMeaning } from './declared-fields.ts';
import { dayChanges } from './firing-changes.ts';
import { firingsIn, type Window } from './firings.ts';
import { type ComparedSide, type Lookup, lookUp, type NewProblems, newProblems } from './lookup.ts';
import type { Side } from './merge-effects.ts';
import { peakChanges } from './peaks.ts';
import { type Starts, startsOf } from './starts.ts';
import { countTotals } from './totals.ts';

export interface CompareInput {
  readonly base: ComparedSide;
  readonly head: ComparedSide;
  readonly kinds: readonly ScheduleKind[];
  /** Of what else is among the sources: types that schedules point to. */
  readonly types: readonly ResourceType[];
  readonly window: Window;
  readonly basis: StatusBasis;
  readonly sameMeaning: SameMeaning;
}

const NO_RUNS: readonly ObjectKey[] = [];

/** Runs that an object's retention takes away at once with the change and not without it, by the id of the object. */
function retentionPrunes(base: ComparedSide, head: ComparedSide): ReadonlyMap<string, readonly ObjectKey[]> {
  const deletesOf = ({ reconciliation }: ComparedSide): readonly DeleteChange[] =>
    reconciliation.changeSet.retention.flatMap(({ changes }) => changes);
  const known = new Set(deletesOf(base).map(({ key }) => keyId(key)));
  const found = new Map<string, readonly ObjectKey[]>();
  for (const { key, changes } of head.reconciliation.changeSet.retention) {
    const gone = changes.map((change) => change.key).filter((run) => !known.has(keyId(run)));
    if (gone.length > 0) found.set(keyId(key), gone);
  }
  return found;
}

function changeOf(id: string, { before, after }: Context): ReferentComparison['change'] {
  if (!before.mayHold(id)) return 'added';
  return after.mayHold(id) ? 'changed' : 'removed';
}

/** Of types that nothing here has to do with only what is wrong is told. */
function compareStranger(
  id: string,
  source: SourcedObject,
  found: NewProblems,
  context: Context,
): ReferentComparison | undefined {
  if (found.broken.length + found.mended.length === 0) return undefined;
  const { apiVersion } = source.object;
  const type = { group: groupOf(apiVersion), version: versionOf(apiVersion) };
  const change = changeOf(id, context);
  return {
    type,
    key: keyOf(source.object),
    change,
    ...placeOf(source),
    ...found,
    fields: [],
    prunes: NO_RUNS,
  };
}

function compareReferent(
  id: string,
  type: ResourceType | undefined,
  context: Context,
  prunes: readonly ObjectKey[],
): ReferentComparison | undefined {
  const [old, fresh] = [context.before.sources.get(id), context.after.sources.get(id)];
  const side = fresh ?? old;
  if (side === undefined) return undefined;
  const found = newProblems(id, context.before, context.after);
  if (type === undefined) return compareStranger(id, side, found, context);
  const fields = declaredDiffs(old?.object, fresh?.object, { ...context.rules, defaults: {} });
  const isEdited = fields.length + found.broken.length + found.mended.length > 0;
  const isSame = old !== undefined && fresh !== undefined && !isEdited;
  if (isSame && prunes.length === 0) return undefined;
  const change = isSame ? 'affected' : changeOf(id, context);
  return { type, key: keyOf(side.object), change, ...placeOf(side), ...found, fields, prunes };
}

function referentsOf(input: CompareInput, context: Context): readonly ReferentComparison[] {
  const { before, after, kinds } = context;
  const prunes = retentionPrunes(input.base, input.head);
  const schedules = new Set(kinds.map(({ resource }) => typeId(resource)));
  const byId = new Map(input.types.map((type) => [typeId(type), type]));
  const ids = new Set([...before.sources.keys(), ...after.sources.keys()]);
  return [...ids].sort(compareText).flatMap((id) => {
    const object = (after.sources.get(id) ?? before.sources.get(id))?.object;
    const type = object === undefined ? undefined : byId.get(typeId(keyOf(object)));
    if (type !== undefined && schedules.has(typeId(type))) return [];
    return compareReferent(id, type, context, prunes.get(id) ?? NO_RUNS) ?? [];
  });
}

/** Of what one side cannot tell, the other side's word counts for both. */
function sidesOf(own: Lookup, other: Lookup): readonly Side[] {
  const silent = [...other.sides].filter(([id]) => ['unreadable', 'unselected'].includes(own.presenceOf(id)));
  return [...own.sides.values(), ...silent.map(([, side]) => side)];
}

/** Declared, and looked at on neither side: what stands there alike is no change, and of the rest nothing is known. */
function unseenSchedules(context: Context): readonly ScheduleComparison[] {
  const { before, after } = context;
  const ids = [...new Set([...before.unseen, ...after.unseen])].sort(compareText);
  return ids.flatMap((id) => {
    if (before.sides.has(id) || after.sides.has(id)) return [];
    const one = compareSchedule(id, context);
    if (one === undefined) return [];
    const isOnBoth = before.sources.has(id) && after.sources.has(id);
    const told = one.fields.length + one.broken.length + one.mended.length;
    return isOnBoth && told === 0 ? [] : [one];
  });
}

/** New ones of no object, or of one that is on neither side: what cannot be used is no part of what is compared. */
function looseProblems({ before, after }: Context): readonly Diagnostic[] {
  const isShown = ({ sides, sources, unseen }: Lookup, id: string): boolean =>
    sides.has(id) || sources.has(id) || unseen.has(id);
  const ids = [...after.problems.keys()].filter((id) => !isShown(before, id) && !isShown(after, id));
  return ids.sort(compareText).flatMap((id) => newProblems(id, before, after).broken);
}

function byName(a: ScheduleComparison, b: ScheduleComparison): number {
  return compareKeys(a.key, b.key);
}

/**
 * What a change does to the firings: both sides decided by the same core at the same now, what the first tick does and
 * what a window brings held against one another. Pure; the same input gives the same bytes.
 */
export function compare(input: CompareInput): Comparison {
  const { base, head, window, basis, sameMeaning } = input;
  const context: Context = {
    ...input,
    before: lookUp(base),
    after: lookUp(head),
    firingsOf: firingsIn(window),
    rules: { mask: newMask(), sameMeaning },
  };
  const ids = [...new Set([...context.before.sides.keys(), ...context.after.sides.keys()])].sort(compareText);
  const seen = ids.flatMap((id) => compareSchedule(id, context) ?? []);
  const schedules = [...seen, ...unseenSchedules(context)];
  schedules.sort(byName);
  const starts = (own: Lookup, other: Lookup): Starts =>
    startsOf(sidesOf(own, other), context.firingsOf, window);
  const before = starts(context.before, context.after);
  const after = starts(context.after, context.before);
  const referents = referentsOf(input, context);
  const loose = looseProblems(context);
  return {
    formatVersion: 1,
    now: window.now,
    until: window.until,
    basis,
    base: base.name,
    head: head.name,
    totals: countTotals({
      schedules,
      referents,
      loose,
      unchanged: ids.length - seen.length,
      before: before.total,
      after: after.total,
    }),
    days: dayChanges(before.days, after.days),
    peaks: peakChanges(before.counts, after.counts),
    schedules,
    referents,
    broken: loose,
  };
}
