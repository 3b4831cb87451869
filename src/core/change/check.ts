import type { Change, CreateChange, DeleteChange } from '#core/change/change.ts';
import type { ChangeSet, ScheduleChanges } from '#core/change/change-set.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { ScheduleKind, Settings } from '#core/kind.ts';
import { keyId, keyText } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';
import { listingOf, type Observed, typeId } from '#core/observed.ts';

/** What a change set is held against: read anew, not taken from the decision that made it. */
export interface CheckInput {
  readonly observed: Observed;
  readonly kinds: readonly ScheduleKind[];
  readonly settings: Settings;
}

type Problem = { readonly key: ObjectKey; readonly what: string };

interface Facts {
  readonly kindOf: (schedule: ScheduleChanges) => ScheduleKind | undefined;
  readonly run: (key: ObjectKey, uid: string) => KubeObject | undefined;
}

function factsOf({ observed, kinds }: CheckInput): Facts {
  const byType = new Map(kinds.map((kind) => [typeId(kind.resource), kind]));
  const runs = new Map<string, KubeObject>();
  for (const { run } of kinds) {
    const listing = listingOf(observed, run);
    if (listing.state !== 'read') continue;
    for (const { object } of listing.objects) {
      const { namespace = '', name, uid = '' } = object.metadata;
      runs.set(`${keyId({ group: run.group, kind: run.kind, namespace, name })}#${uid}`, object);
    }
  }
  return {
    kindOf: (schedule) => byType.get(typeId(schedule.type)),
    run: (key, uid) => runs.get(`${keyId(key)}#${uid}`),
  };
}

function checkCreate(
  change: CreateChange,
  schedule: ScheduleChanges,
  kind: ScheduleKind,
  set: ChangeSet,
): string[] {
  const problems: string[] = [];
  if (change.slot > set.now) problems.push('a run for a slot after now');
  if (change.key.name.length > kind.rules.maxRunName)
    problems.push(`a name of ${change.key.name.length} characters, at most ${kind.rules.maxRunName} fit`);
  if (controllerOf(change.object)?.uid !== schedule.uid)
    problems.push('a run that its schedule does not control');
  return problems;
}

function checkDelete(
  change: DeleteChange,
  schedule: ScheduleChanges,
  kind: ScheduleKind,
  facts: Facts,
): string[] {
  const run = facts.run(change.key, change.precondition.uid);
  if (run === undefined) return ['a delete of an object that was not read'];
  if (controllerOf(run)?.uid !== schedule.uid)
    return ['a delete of a run that the schedule does not control'];
  switch (kind.phaseOf(run)) {
    case 'succeeded':
    case 'failed':
      return change.reason === 'Replaced' ? ['a replacement of a finished run'] : [];
    case 'pending':
    case 'running':
      return change.reason === 'Replaced' ? [] : ['a delete of an unfinished run'];
    case 'unknown':
      return ['a delete of a run in an unknown phase'];
  }
}

function checkChange(
  change: Change,
  schedule: ScheduleChanges,
  kind: ScheduleKind,
  context: { set: ChangeSet; facts: Facts },
): string[] {
  switch (change.verb) {
    case 'create':
      return checkCreate(change, schedule, kind, context.set);
    case 'delete':
      return checkDelete(change, schedule, kind, context.facts);
    case 'apply': {
      const foreign = Object.keys(change.fields).filter((field) => !kind.rules.statusFields.includes(field));
      return foreign.length === 0
        ? []
        : [`a write to status fields that are not ours: ${foreign.join(', ')}`];
    }
    case 'event':
      return [];
  }
}

/** Replacement deletes, create, status, other deletes, events: each at its rank (design.md 3.5). */
function rankOf(change: Change): number {
  switch (change.verb) {
    case 'delete':
      return change.reason === 'Replaced' ? 0 : 3;
    case 'create':
      return 1;
    case 'apply':
      return 2;
    case 'event':
      return 4;
  }
}

function checkSchedule(schedule: ScheduleChanges, set: ChangeSet, facts: Facts): Problem[] {
  const { key, changes } = schedule;
  const kind = facts.kindOf(schedule);
  if (kind === undefined) return [{ key, what: 'changes for a kind that nobody knows' }];
  const problems = changes.flatMap((change) => checkChange(change, schedule, kind, { set, facts }));
  if (schedule.verdict.code === 'observed' && changes.length > 0)
    problems.push('changes for an object that is only observed');
  if (changes.some((change, index) => index > 0 && rankOf(change) < rankOf(changes[index - 1] ?? change)))
    problems.push('changes out of order');
  const slots = changes.flatMap((change) => (change.verb === 'create' ? [`${change.key.name}`] : []));
  if (slots.length > 1) problems.push('more than one create for one schedule and slot');
  return problems.map((what) => ({ key, what }));
}

function checkBudgets({ counts }: ChangeSet, { maxCreates, maxDeletes }: Settings): string[] {
  const problems: string[] = [];
  if (maxCreates !== undefined && counts.creates > maxCreates)
    problems.push(`${counts.creates} creates, the budget is ${maxCreates}`);
  if (maxDeletes !== undefined && counts.deletes > maxDeletes)
    problems.push(`${counts.deletes} deletes, the budget is ${maxDeletes}`);
  return problems;
}

function doubled(set: ChangeSet): Problem[] {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const { changes } of set.schedules) {
    for (const change of changes) {
      if (change.verb === 'apply') continue;
      const id = `${change.verb} ${keyId(change.key)}`;
      if (seen.has(id)) problems.push({ key: change.key, what: `a second ${change.verb}` });
      seen.add(id);
    }
  }
  return problems;
}

/**
 * The self-check of design.md 4, before every apply and in every test. A problem is a fault of this program:
 * nothing of the change set may be applied.
 */
export function checkChangeSet(set: ChangeSet, input: CheckInput): readonly Diagnostic[] {
  const facts = factsOf(input);
  const problems = [
    ...set.schedules.flatMap((schedule) => checkSchedule(schedule, set, facts)),
    ...doubled(set),
  ];
  const why = 'nothing of this change set is applied';
  return [
    ...problems.map(
      ({ key, what }): Diagnostic => ({
        code: 'SelfCheckFailed',
        severity: 'error',
        object: key,
        what: `the change set has ${what} (${keyText(key)})`,
        why,
      }),
    ),
    ...checkBudgets(set, input.settings).map(
      (what): Diagnostic => ({
        code: 'SelfCheckFailed',
        severity: 'error',
        what: `the change set has ${what}`,
        why,
      }),
    ),
  ];
}
