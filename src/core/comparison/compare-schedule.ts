import { type FieldDiff, pointerKeys } from '#core/change/diff.ts';
import { effectiveVerdict } from '#core/change/verdict.ts';
import { comparePlaces, type Diagnostic } from '#core/diagnostic.ts';
import type { ScheduleKind } from '#core/kind.ts';
import { ACKNOWLEDGE_ANNOTATION } from '#core/object/annotations.ts';
import { keyOf } from '#core/object/key.ts';
import type { Json, SourcedObject } from '#core/object/object.ts';
import { isOfType, type ResourceType } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { clockChanges } from './clock-changes.ts';
import type { ObjectChange, ScheduleComparison } from './comparison.ts';
import { declaredDiffs, type FieldRules } from './declared-fields.ts';
import { type FiringChanges, firingChanges } from './firing-changes.ts';
import type { FiringsOf, Window } from './firings.ts';
import { type Lookup, newProblems, type Presence } from './lookup.ts';
import { type MergeEffects, mergeEffects, type Side } from './merge-effects.ts';
import { runsPerFiring } from './starts.ts';

/** What both sides have in common while they are compared. */
export interface Context {
  readonly before: Lookup;
  readonly after: Lookup;
  readonly window: Window;
  readonly kinds: readonly ScheduleKind[];
  readonly firingsOf: FiringsOf;
  readonly rules: Omit<FieldRules, 'defaults'>;
}

const NO_CHANGES: FiringChanges = { before: 0, after: 0, added: [], removed: [], moved: [], days: [] };
const NO_EFFECTS: MergeEffects = { cancels: [], prunes: [] };
const NO_DEFAULTS: Readonly<Record<string, Json>> = {};

/** Where it is declared. */
export function placeOf(source: SourcedObject | undefined): Pick<ScheduleComparison, 'place'> {
  const place = source?.placeOf?.([]);
  return place === undefined ? {} : { place };
}

/** Where somebody who reads the change looks: what stands beyond the lines of a difference is not shown beside it. */
function changedAt(
  source: SourcedObject | undefined,
  fields: readonly FieldDiff[],
): Pick<ScheduleComparison, 'changedAt'> {
  const places = fields
    .map(({ path }) => pointerKeys(path))
    .filter(([root]) => root === 'spec')
    .flatMap((keys) => source?.placeOf?.(keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key))) ?? []);
  const [first] = places.toSorted(comparePlaces);
  return first === undefined ? {} : { changedAt: first };
}

function brokenPlace(broken: readonly Diagnostic[]): Pick<ScheduleComparison, 'place'> {
  const place = broken.find((one) => one.place !== undefined)?.place;
  return place === undefined ? {} : { place };
}

function changeOf(isBefore: boolean, isAfter: boolean, fields: readonly FieldDiff[]): ObjectChange {
  if (!isBefore) return 'added';
  if (!isAfter) return 'removed';
  return fields.length > 0 ? 'changed' : 'affected';
}

/** A schedule that is there, is meant to run, and has no slot to come. */
function isDry(side: Side | undefined): boolean {
  if (side?.entry === undefined || side.entry.schedule.suspended) return false;
  const { decision } = side.entry;
  if (decision.state === 'never') return true;
  if (decision.state === 'deleting' || decision.state === 'badTiming') return false;
  const { code, next } = effectiveVerdict(side.changes.verdict);
  return code !== 'invalid' && next === undefined;
}

function acknowledgedBy(source: SourcedObject | undefined): readonly string[] {
  const text = source?.object.metadata.annotations?.[ACKNOWLEDGE_ANNOTATION] ?? '';
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function saysSomething({
  fields,
  firings,
  merge,
  clockChanges: clocks,
  ...rest
}: ScheduleComparison): boolean {
  return (
    rest.change !== 'affected' ||
    fields.length + clocks.length + rest.broken.length + rest.mended.length > 0 ||
    firings.added.length + firings.removed.length + firings.moved.length > 0 ||
    merge.cancels.length + merge.prunes.length > 0 ||
    [merge.firesNow, merge.noLongerFires, merge.holds, merge.releases].some(
      (effect) => effect !== undefined,
    ) ||
    rest.neverFires ||
    rest.runsBefore !== rest.runsAfter
  );
}

/** The defaults of the kind that has this type. */
function defaultsFor(
  { type }: { readonly type: ResourceType },
  kinds: readonly ScheduleKind[],
): FieldRules['defaults'] {
  return kinds.find(({ resource }) => typeId(resource) === typeId(type))?.defaults ?? NO_DEFAULTS;
}

/** Neither gone nor new: on one side it cannot be told. */
function unknownFate(before: Presence, after: Presence): ScheduleComparison['unknown'] {
  const told = [after, before].find((one) => one === 'unreadable' || one === 'unselected');
  return told === 'unreadable' || told === 'unselected' ? told : undefined;
}

type Effects = Pick<ScheduleComparison, 'runsBefore' | 'runsAfter' | 'firings' | 'merge' | 'clockChanges'>;

const NO_CHANGE: Effects = {
  runsBefore: 0,
  runsAfter: 0,
  firings: NO_CHANGES,
  merge: NO_EFFECTS,
  clockChanges: [],
};

function effectsOf(
  old: Side | undefined,
  fresh: Side | undefined,
  {
    unknown,
    firingsOf,
    window,
  }: Pick<Context, 'firingsOf' | 'window'> & { readonly unknown: ScheduleComparison['unknown'] },
): Effects {
  if (unknown !== undefined) return NO_CHANGE;
  const before = firingsOf(old?.entry);
  const after = firingsOf(fresh?.entry);
  return {
    runsBefore: runsPerFiring(old?.entry, before),
    runsAfter: runsPerFiring(fresh?.entry, after),
    firings: firingChanges(before, after),
    merge: mergeEffects(old, fresh),
    clockChanges: clockChanges(old?.entry, fresh?.entry, window),
  };
}

/** Of a schedule that was not looked at, as it is declared. */
function unseenName(
  source: SourcedObject | undefined,
  kinds: readonly ScheduleKind[],
): Pick<ScheduleComparison, 'type' | 'key'> | undefined {
  const kind = kinds.find(({ resource }) => source !== undefined && isOfType(source.object, resource));
  return source === undefined || kind === undefined
    ? undefined
    : { type: kind.resource, key: keyOf(source.object) };
}

/** Undefined where nothing differs. */
export function compareSchedule(id: string, context: Context): ScheduleComparison | undefined {
  const { before, after, window, firingsOf, kinds, rules } = context;
  const [old, fresh] = [before.sides.get(id), after.sides.get(id)];
  const [oldSource, source] = [before.sources.get(id), after.sources.get(id)];
  const named = (fresh ?? old)?.changes ?? unseenName(source ?? oldSource, kinds);
  if (named === undefined) return undefined;
  const { type, key } = named;
  const unknown = unknownFate(before.presenceOf(id), after.presenceOf(id));
  const fields = declaredDiffs(oldSource?.object, source?.object, {
    ...rules,
    defaults: defaultsFor({ type }, kinds),
  });
  const found = newProblems(id, before, after);
  const compared: ScheduleComparison = {
    type,
    key,
    change: unknown === undefined ? changeOf(old !== undefined, fresh !== undefined, fields) : 'changed',
    ...(unknown === undefined ? {} : { unknown }),
    ...(unknown === 'unreadable'
      ? brokenPlace([...found.broken, ...found.mended])
      : placeOf(source ?? oldSource)),
    ...changedAt(source, fields),
    ...(old === undefined ? {} : { before: old.changes.verdict }),
    ...(fresh === undefined ? {} : { after: fresh.changes.verdict }),
    ...effectsOf(old, fresh, { unknown, firingsOf, window }),
    ...found,
    neverFires: unknown === undefined && isDry(fresh) && !isDry(old),
    fields,
    acknowledged: acknowledgedBy(source ?? oldSource),
  };
  return saysSomething(compared) ? compared : undefined;
}
