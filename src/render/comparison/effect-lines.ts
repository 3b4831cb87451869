import { type FieldDiff, pointerKeys } from '#core/change/diff.ts';
import { effectiveVerdict, type Verdict } from '#core/change/verdict.ts';
import type { ReferentComparison, ScheduleComparison } from '#core/comparison/comparison.ts';
import type { DayCount, MovedFiring } from '#core/comparison/firing-changes.ts';
import type { Firing } from '#core/comparison/firings.ts';
import { type GuardName, stopsFiring } from '#core/comparison/guard.ts';
import type { FiresNowCause } from '#core/comparison/merge-effects.ts';
import { nextBeyond } from '#core/comparison/next-beyond.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import { compareText } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { valueText } from '#render/diff-text.ts';
import { escapeText } from '#render/escape-text.ts';
import { maskedText } from '#render/masked-text.ts';
import { utcText } from '#render/moment-text.ts';
import { grouped, listed, plural } from '#render/plural.ts';
import { spanText } from '#render/span-text.ts';

/** One thing that a change does; the text is escaped for a terminal, and knows nothing of Markdown. */
export interface EffectLine {
  readonly label: string;
  readonly text: string;
  /** Runs that end the sentence: the form of a name is the renderer's. */
  readonly runs?: readonly ObjectKey[];
  /** The guard that this line would trip. */
  readonly guard?: GuardName;
}

export interface ShownFields {
  readonly shown: readonly FieldDiff[];
  readonly rest: number;
}

const MOST_NAMED = 5;
const MOST_SLOTS = 3;
const MOST_FIELDS = 40;

const CAUSES: Readonly<Record<FiresNowCause, string>> = {
  added: 'the schedule is new',
  unsuspended: 'it is no longer suspended',
  deadline: 'its deadline changed',
  released: 'nothing holds it any more',
  zone: 'its time zone changed',
  expression: 'its expression changed',
  other: 'something that it points to changed',
};

function plainName({ kind, name }: ObjectKey): string {
  return `${escapeText(kind)} ${escapeText(name)}`;
}

/** The whole sentence of a line, in plain words or as a renderer has it. */
export function sentenceOf(
  { text, runs = [] }: EffectLine,
  wordsOf = (words: string): string => words,
  nameOf: (run: ObjectKey) => string = plainName,
): string {
  return runs.length === 0 ? wordsOf(text) : `${wordsOf(text)} ${listed(runs.map(nameOf), MOST_NAMED)}`;
}

function firingText({ slot, until }: Firing): string {
  if (until === undefined) return utcText(slot);
  return `between ${utcText(slot)} and ${utcText(until)}`;
}

function some(firings: readonly Firing[]): string {
  const texts = firings.slice(0, MOST_SLOTS).map(firingText);
  const rest = firings.length - texts.length;
  return `${texts.join(', ')}${rest > 0 ? `, and ${grouped(rest)} more` : ''}`;
}

function pruneLine(prunes: readonly ObjectKey[]): EffectLine {
  return { label: 'prunes', text: `${plural(prunes.length, 'run')}:`, runs: prunes, guard: 'prunes' };
}

function fateOf(verdict: Verdict | undefined): Partial<Verdict> {
  return verdict === undefined ? {} : effectiveVerdict(verdict);
}

/** As the kind spells it. */
function holdReason(after: Verdict | undefined): string {
  const { reason } = fateOf(after);
  return reason === undefined ? '' : ` (${escapeText(reason)})`;
}

function mergeLines({ merge, after }: ScheduleComparison): readonly EffectLine[] {
  const { firesNow, noLongerFires, cancels, prunes, holds, releases } = merge;
  const lines: EffectLine[] = [];
  if (firesNow !== undefined) {
    const { slot, lateSeconds, cause, runs } = firesNow;
    const creates = runs.length === 0 ? '' : '; creates';
    const late = lateSeconds === 0 ? 'due now' : `${spanText(lateSeconds)} late`;
    lines.push({
      label: 'fires now',
      text: `slot ${utcText(slot)}, ${late}: ${CAUSES[cause]}${creates}`,
      runs,
      guard: 'fires-now',
    });
  }
  if (noLongerFires !== undefined)
    lines.push({ label: 'not now', text: `slot ${utcText(noLongerFires)} is due and is not run any more` });
  if (cancels.length > 0)
    lines.push({
      label: 'cancels',
      text: `${plural(cancels.length, 'unfinished run')}:`,
      runs: cancels,
      guard: 'cancels',
    });
  if (prunes.length > 0) lines.push(pruneLine(prunes));
  if (holds !== undefined)
    lines.push({ label: 'held', text: `slot ${utcText(holds)} is held from now on${holdReason(after)}` });
  if (releases !== undefined)
    lines.push({ label: 'released', text: `slot ${utcText(releases)} is no longer held` });
  return lines;
}

function movedLines(moved: readonly MovedFiring[]): readonly EffectLine[] {
  const byDistance = Map.groupBy(moved, ({ from, to }) => to.slot - from.slot);
  const groups = [...byDistance].sort(
    ([distance, group], [otherDistance, otherGroup]) =>
      otherGroup.length - group.length || distance - otherDistance,
  );
  const rest = groups.slice(MOST_SLOTS).reduce((sum, [, group]) => sum + group.length, 0);
  const told = groups.slice(0, MOST_SLOTS).map(([distance, group]): EffectLine => {
    const [first] = group;
    const example =
      first === undefined
        ? ''
        : `: ${firingText(first.from)} → ${firingText(first.to)}${group.length > 1 ? ', …' : ''}`;
    const by =
      distance === 0 ? 'its range changes' : `${spanText(distance)} ${distance > 0 ? 'later' : 'earlier'}`;
    return { label: 'moved', text: `${plural(group.length, 'firing')} ${by}${example}` };
  });
  return rest === 0
    ? told
    : [...told, { label: 'moved', text: `${plural(rest, 'more firing')} by other spans` }];
}

/** `0 → 1 on each of 7 days`, or the first days one by one; empty without any. */
export function daysText(days: readonly DayCount[]): string {
  const [first] = days;
  if (first === undefined) return '';
  const isAlike = days.every(({ before, after }) => before === first.before && after === first.after);
  if (isAlike && days.length > 1)
    return `${grouped(first.before)} → ${grouped(first.after)} on each of ${plural(days.length, 'day')}`;
  const shown = days.slice(0, MOST_NAMED).map(({ day, before, after }) => `${day} ${before} → ${after}`);
  return `${shown.join(', ')}${days.length > shown.length ? ', …' : ''}`;
}

/** A window that is too short for a schedule would show none of what a change does to it. */
function nextLines(one: ScheduleComparison): readonly EffectLine[] {
  const { before, after } = nextBeyond(one) ?? {};
  const old = before === undefined ? '' : utcText(before);
  const guard = stopsFiring(one) ? { guard: 'stops' as const } : {};
  if (after === undefined) return old === '' ? [] : [{ label: 'next', text: `${old} → none`, ...guard }];
  return [{ label: 'next', text: `${old === '' ? '' : `${old} → `}${utcText(after)}, beyond the window` }];
}

function firingLines(one: ScheduleComparison): readonly EffectLine[] {
  const { firings } = one;
  const stops = stopsFiring(one);
  const { before, after, added, removed, moved } = firings;
  if (added.length + removed.length + moved.length === 0) return [];
  return [
    {
      label: 'firings',
      ...(stops ? { guard: 'stops' as const } : {}),
      text: `${grouped(before)} → ${grouped(after)} in the window${daysText(firings.days) === '' ? '' : `; ${daysText(firings.days)}`}`,
    },
    ...(added.length === 0
      ? []
      : [{ label: 'added', text: `${plural(added.length, 'firing')}: ${some(added)}` }]),
    ...(removed.length === 0
      ? []
      : [{ label: 'removed', text: `${plural(removed.length, 'firing')}: ${some(removed)}` }]),
    ...movedLines(moved),
    ...([...added, ...moved.map(({ to }) => to)].some(({ until }) => until !== undefined)
      ? [{ label: '', text: 'H and jitter are fixed once the object has a uid' }]
      : []),
  ];
}

/** Of a schedule whose firings stay and start more, fewer or no runs. */
function startLines({ runsBefore, runsAfter, firings }: ScheduleComparison): readonly EffectLine[] {
  if (runsBefore === runsAfter || firings.before === 0 || firings.after === 0) return [];
  const after = runsAfter === 0 ? 'none: there is nothing to start' : grouped(runsAfter);
  const guard = runsAfter === 0 ? { guard: 'stops' as const } : {};
  return [{ label: 'starts', ...guard, text: `runs of each firing: ${grouped(runsBefore)} → ${after}` }];
}

function clockLines({ clockChanges }: ScheduleComparison): readonly EffectLine[] {
  return clockChanges.map(({ at, before, after }) => ({
    label: 'clocks',
    text: `${utcText(at)}: ${escapeText(after ?? 'no slot is skipped or doubled any more')}${
      before === undefined ? '' : ` (before: ${escapeText(before)})`
    }`,
  }));
}

/** What is wrong, and the way out. */
export function problemText({ code, what, fix }: Diagnostic): string {
  const way = fix === undefined ? '' : `; ${maskedText(fix)}`;
  return `${code}: ${maskedText(what)}${way}`;
}

function problemLine(problem: Diagnostic): EffectLine {
  const { severity } = problem;
  return {
    label: severity === 'error' ? 'broken' : 'warning',
    text: problemText(problem),
    ...(severity === 'error' ? { guard: 'invalid' } : {}),
  };
}

/** `/spec/containers/0/image` as `spec.containers[0].image`. */
export function pathText(pointer: string): string {
  return pointerKeys(pointer)
    .map((key, index) =>
      /^\d+$/.test(key) ? `[${key}]` : /^[\w-]+$/.test(key) ? `${index === 0 ? '' : '.'}${key}` : `[${key}]`,
    )
    .map(escapeText)
    .join('');
}

function fieldText({ path, before, after }: FieldDiff): string {
  return `${pathText(path)}: ${valueText(before)} → ${valueText(after)}`;
}

/** The same fields for every reader, and how many more there are. */
export function shownFields(fields: readonly FieldDiff[]): ShownFields {
  const shown = [...fields].sort((a, b) => compareText(a.path, b.path)).slice(0, MOST_FIELDS);
  return { shown, rest: fields.length - shown.length };
}

export function fieldTexts(fields: readonly FieldDiff[]): readonly string[] {
  const { shown, rest } = shownFields(fields);
  return [...shown.map(fieldText), ...(rest > 0 ? [`and ${plural(rest, 'more field')}`] : [])];
}

/** A slot that only the new state has, and that is beyond its deadline already. */
function expiredText(after: Verdict | undefined): string {
  const { code, slot } = fateOf(after);
  return code === 'expired' && slot !== undefined
    ? `: its slot ${utcText(slot)} has passed, beyond the deadline`
    : '';
}

function verdictLines({ before, after, change, merge, unknown }: ScheduleComparison): readonly EffectLine[] {
  const [old, fresh] = [fateOf(before).code, fateOf(after).code];
  if (unknown !== undefined) return [];
  const isTold = merge.firesNow !== undefined || merge.holds !== undefined || merge.releases !== undefined;
  if (change === 'added' && fresh === 'suspended') return [{ label: 'now', text: fresh }];
  if (isTold || change === 'added' || fresh === undefined || old === fresh) return [];
  return [{ label: 'now', text: `${old ?? 'unknown'} → ${fresh}${expiredText(after)}` }];
}

const UNKNOWN: Readonly<Record<NonNullable<ScheduleComparison['unknown']>, string>> = {
  unreadable: 'one side cannot be read: what becomes of its firings and runs is not known',
  unselected: 'on one side it is not looked at (-l, -n): what becomes of its firings and runs is not told',
};

function unknownLines({ unknown }: ScheduleComparison): readonly EffectLine[] {
  return unknown === undefined ? [] : [{ label: 'unknown', text: UNKNOWN[unknown] }];
}

/** Everything that is worth telling of a schedule, the most dangerous first; the fields are not among it. */
export function effectLines(one: ScheduleComparison): readonly EffectLine[] {
  return [
    ...unknownLines(one),
    ...mergeLines(one),
    ...(one.neverFires
      ? [{ label: 'never', text: 'it has no slot to come', guard: 'never-fires' } as const]
      : []),
    ...one.broken.map(problemLine),
    ...(one.change === 'removed' ? [] : one.mended).map(({ what }) => ({
      label: 'mended',
      text: maskedText(what),
    })),
    ...verdictLines(one),
    ...startLines(one),
    ...nextLines(one),
    ...firingLines(one),
    ...clockLines(one),
    ...(one.acknowledged.length === 0
      ? []
      : [{ label: 'acked', text: one.acknowledged.map(escapeText).join(', ') }]),
  ];
}

export function referentLines({ broken, mended, prunes }: ReferentComparison): readonly EffectLine[] {
  return [
    ...(prunes.length === 0 ? [] : [pruneLine(prunes)]),
    ...broken.map(problemLine),
    ...mended.map(({ what }) => ({ label: 'mended', text: maskedText(what) })),
  ];
}
