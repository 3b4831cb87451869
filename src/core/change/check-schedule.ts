import type { ApplyChange, Change, CreateChange, DeleteChange } from '#core/change/change.ts';
import type { ScheduleChanges } from '#core/change/change-set.ts';
import type { ScheduleKind } from '#core/kind.ts';
import { SLOT_ANNOTATION } from '#core/object/annotations.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';
import { typeId } from '#core/observed.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { writerOf } from '#core/writer.ts';
import type { Facts } from './check-facts.ts';

/** One schedule being checked. */
interface Case {
  readonly schedule: ScheduleChanges;
  readonly kind: ScheduleKind;
  readonly facts: Facts;
}

function checkCreate(change: CreateChange, { schedule, kind }: Case): string[] {
  const { key, object, slot } = change;
  const problems: string[] = [];
  if (typeId(change.type) !== typeId(kind.run) || keyId(keyOf(object)) !== keyId(key))
    problems.push('a create of something else than it says');
  if (key.namespace !== schedule.key.namespace) problems.push('a run in another namespace');
  if (key.name.length > kind.rules.maxRunName)
    problems.push(`a name of ${key.name.length} characters, at most ${kind.rules.maxRunName} fit`);
  if (controllerOf(object)?.uid !== schedule.uid) problems.push('a run that its schedule does not control');
  if (object.metadata.annotations?.[SLOT_ANNOTATION] !== formatInstant(slot))
    problems.push('a run that does not carry its slot');
  return problems;
}

function checkDelete(change: DeleteChange, { schedule, kind, facts }: Case): string[] {
  const run = facts.run(change.key, change.precondition.uid);
  if (run === undefined) return ['a delete of an object that was not read'];
  const problems: string[] = [];
  if (typeId(change.type) !== `${change.key.group}/${change.key.kind}`)
    problems.push('a delete of something else than it says');
  if (controllerOf(run)?.uid !== schedule.uid)
    problems.push('a delete of a run that the schedule does not control');
  if ((run.metadata.resourceVersion ?? '') !== change.precondition.resourceVersion)
    problems.push('a delete of another version than was read');
  const replaced = change.reason === 'Replaced';
  if (replaced && !schedule.changes.some(({ verb }) => verb === 'create'))
    problems.push('a replacement without a run that replaces');
  return [...problems, ...phaseProblems(kind, run, replaced)];
}

function phaseProblems(kind: ScheduleKind, run: KubeObject, replaced: boolean): string[] {
  switch (kind.phaseOf(run)) {
    case 'succeeded':
    case 'failed':
      return replaced ? ['a replacement of a finished run'] : [];
    case 'pending':
    case 'running':
      return replaced ? [] : ['a delete of an unfinished run'];
    case 'unknown':
      return ['a delete of a run in an unknown phase'];
  }
}

function checkApply(change: ApplyChange, { schedule, kind }: Case): string[] {
  const problems: string[] = [];
  const { key, uid, resourceVersion } = schedule;
  const { precondition } = change;
  if (keyId(change.key) !== keyId(key)) problems.push('a status of another object');
  if (precondition.uid !== uid || precondition.resourceVersion !== resourceVersion)
    problems.push('a status write for another version than was read');
  const foreign = Object.keys(change.fields).filter((field) => !kind.rules.statusFields.includes(field));
  if (foreign.length > 0) problems.push(`a write to status fields that are not ours: ${foreign.join(', ')}`);
  return problems;
}

function checkChange(change: Change, context: Case): string[] {
  switch (change.verb) {
    case 'create':
      return checkCreate(change, context);
    case 'delete':
      return checkDelete(change, context);
    case 'apply':
      return checkApply(change, context);
    case 'event': {
      const { regarding } = change.object;
      const about = isObject(regarding) ? regarding.name : undefined;
      return about === context.schedule.key.name ? [] : ['an event about another object'];
    }
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

function slotOf(change: Change): Instant | undefined {
  return change.verb === 'apply' ? undefined : change.slot;
}

/** A run may be older than the clock says when the clock was set back: only what is done *for* a slot counts. */
function namesFuture(change: Change, now: Instant): boolean {
  const slot = slotOf(change);
  return change.verb !== 'delete' && slot !== undefined && slot > now;
}

/** What is wrong with the changes of one schedule; nothing is asked of one without changes but its verdict. */
export function checkSchedule(schedule: ScheduleChanges, now: Instant, facts: Facts): readonly string[] {
  const { key, uid, changes, verdict } = schedule;
  const problems: string[] = [];
  if (verdict.slot !== undefined && verdict.slot > now) problems.push('a verdict on a slot after now');
  if (changes.length === 0) return problems;
  const kind = facts.kindOf(schedule);
  if (kind === undefined) return [...problems, 'changes for a kind that nobody knows'];
  const object = facts.schedule(key, uid);
  if (object === undefined) return [...problems, 'changes for a schedule that was not read'];
  if (verdict.code === 'observed' || writerOf(kind, object, facts.settings).state === 'observed')
    problems.push('changes for an object that is only observed');
  for (const change of changes) {
    problems.push(...checkChange(change, { schedule, kind, facts }));
    if (namesFuture(change, now)) problems.push(`a ${change.verb} for a slot after now`);
  }
  if (changes.some((change, index) => index > 0 && rankOf(change) < rankOf(changes[index - 1] ?? change)))
    problems.push('changes out of order');
  if (changes.filter(({ verb }) => verb === 'create').length > 1)
    problems.push('more than one create for one schedule and slot');
  if (changes.filter(({ verb }) => verb === 'apply').length > 1)
    problems.push('more than one write of one status');
  return problems;
}
