import { type Diagnostic, toldByObject } from '#core/diagnostic.ts';
import type { Settings } from '#core/kind.ts';
import { sameValue } from '#core/object/canonical.ts';
import { keyId, keyText } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { type ChangeSet, countChanges, deletedBy } from './change-set.ts';
import { type CheckInput, factsOf } from './check-facts.ts';
import { checkLanes } from './check-lanes.ts';
import { checkRetention, checkSchedule } from './check-schedule.ts';
import { checkWork } from './check-work.ts';

/** A rule that a change set breaks. */
export interface Problem {
  readonly key?: ObjectKey;
  /** The schedules and orders (`keyId`) whose changes break it; absent where it is the set as a whole. */
  readonly owners?: readonly string[];
  readonly what: string;
}

function problemOf(key: ObjectKey, what: string): Problem {
  return { key, owners: [keyId(key)], what };
}

/** Counted from the changes themselves, since the counts are only what people are told. */
function checkCounts(set: ChangeSet, { maxCreates, maxDeletes }: Settings): Problem[] {
  // Those that failed before are in no list of the set.
  const { failedEarlier } = set.counts.works ?? {};
  const counts = countChanges(set.schedules, set.retention, set.works, failedEarlier);
  const problems: Problem[] = [];
  if (!sameValue(counts, set.counts)) problems.push({ what: 'counts that do not add up' });
  if (maxCreates !== undefined && counts.creates > maxCreates)
    problems.push({ what: `${counts.creates} creates, the budget is ${maxCreates}` });
  if (maxDeletes !== undefined && counts.deletes > maxDeletes)
    problems.push({ what: `${counts.deletes} deletes, the budget is ${maxDeletes}` });
  return problems;
}

/** Two writes to one object, whichever schedules ask for them. */
function checkDoubles(set: ChangeSet): Problem[] {
  const seen = new Map<string, string>();
  const problems: Problem[] = [];
  function see(id: string, owner: string, key: ObjectKey, what: string): void {
    const first = seen.get(id);
    if (first !== undefined) problems.push({ key, owners: [first, owner], what });
    seen.set(id, owner);
  }
  for (const { key, changes } of [...set.schedules, ...set.retention, ...set.works]) {
    const owner = keyId(key);
    see(`owner ${owner}`, owner, key, 'one schedule twice');
    for (const change of changes) {
      if (change.verb !== 'apply')
        see(`${change.verb} ${keyId(change.key)}`, owner, change.key, `a second ${change.verb}`);
    }
  }
  return problems;
}

/** Nothing is made, or told, for an order that goes in the same tick. */
function checkDeleted({ schedules, retention, works }: ChangeSet): Problem[] {
  const deleted = deletedBy([...schedules, ...retention]);
  const served = works.filter(({ key, changes }) => changes.length > 0 && deleted.has(keyId(key)));
  return served.map(({ key }) => problemOf(key, 'writes for an order that it deletes'));
}

/** Whoever asks for `--fail-on invalid`, or reads the log, has to learn why. */
function checkTold({ works, diagnostics }: ChangeSet): Problem[] {
  const invalid = works.filter(({ state }) => state === 'invalid');
  if (invalid.length === 0) return [];
  const errors = toldByObject(diagnostics.filter(({ severity }) => severity === 'error'));
  const untold = invalid.filter(({ key }) => !errors.has(keyId(key)));
  return untold.map(({ key }) => problemOf(key, 'an order that is invalid, and no error that says why'));
}

export function toDiagnostic(
  { key, what }: Problem,
  why = 'nothing of this change set is applied',
): Diagnostic {
  return {
    code: 'SelfCheckFailed',
    severity: 'error',
    ...(key === undefined ? {} : { object: key }),
    what: `the change set has ${what}${key === undefined ? '' : ` (${keyText(key)})`}`,
    why,
  };
}

/** Every rule of design.md 4 that a change set breaks. */
export function problemsIn(set: ChangeSet, input: CheckInput): readonly Problem[] {
  const facts = factsOf(input);
  const problems = set.schedules.flatMap((schedule) =>
    checkSchedule(schedule, set.now, facts).map((what) => problemOf(schedule.key, what)),
  );
  for (const one of set.retention)
    problems.push(...checkRetention(one, facts).map((what) => problemOf(one.key, what)));
  for (const one of set.works)
    problems.push(...checkWork(one, facts).map((what) => problemOf(one.key, what)));
  problems.push(...checkLanes(set, facts, input).map((what): Problem => ({ what })));
  problems.push(...checkTold(set), ...checkDeleted(set), ...checkDoubles(set));
  return [...problems, ...checkCounts(set, input.settings)];
}

/** The self-check of design.md 4, before every apply and in every test: a problem is a fault of this program. */
export function checkChangeSet(set: ChangeSet, input: CheckInput): readonly Diagnostic[] {
  return problemsIn(set, input).map((problem) => toDiagnostic(problem));
}
