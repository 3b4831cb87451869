import type { AnnotateChange, ApplyChange, Change, CreateChange, DeleteChange } from '#core/change/change.ts';
import type { RetentionChanges, ScheduleChanges } from '#core/change/change-set.ts';
import type { ScheduleKind } from '#core/kind.ts';
import { SLOT_ANNOTATION } from '#core/object/annotations.ts';
import { isObject, sameValue } from '#core/object/canonical.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';
import { typeId } from '#core/observed.ts';
import { belongsTo } from '#core/run/ownership.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { writerOf } from '#core/writer.ts';
import type { Facts } from './check-facts.ts';

/** One schedule being checked. */
interface Case {
  /** Some run is created in the place of what is replaced. */
  readonly creates: boolean;
  /** What stands behind the change that is looked at. */
  readonly next?: Change | undefined;
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
  if (!belongsTo(object, schedule.uid, kind.rules.ownedBy))
    problems.push('a run that its schedule does not control');
  if (object.metadata.annotations?.[SLOT_ANNOTATION] !== formatInstant(slot))
    problems.push('a run that does not carry its slot');
  return problems;
}

function checkDelete(change: DeleteChange, context: Case): string[] {
  const { schedule, kind, facts, creates } = context;
  const object = facts.run(change.key, change.precondition.uid);
  if (object === undefined) return ['a delete of an object that was not read'];
  const replaced = change.reason === 'Replaced';
  const problems = versionProblems(change, object);
  if (replaced && !creates) problems.push('a replacement without a run that replaces');
  if (kind.workload !== undefined && typeId(change.type) === typeId(kind.workload.resource))
    return [...problems, ...workloadProblems(change, object, context)];
  if (!belongsTo(object, schedule.uid, kind.rules.ownedBy))
    problems.push('a delete of a run that the schedule does not control');
  if (change.reason === 'Retention') problems.push('a retention delete among the deletes of a schedule');
  return [...problems, ...markProblems(change, kind), ...phaseProblems(kind, object, replaced)];
}

function versionProblems({ type, key, precondition }: DeleteChange, object: KubeObject): string[] {
  const problems: string[] = [];
  if (typeId(type) !== typeId(key)) problems.push('a delete of something else than it says');
  if ((object.metadata.resourceVersion ?? '') !== precondition.resourceVersion)
    problems.push('a delete of another version than was read');
  return problems;
}

/** What carries a run out goes only with its run, right before it. */
function workloadProblems(change: DeleteChange, object: KubeObject, { next, kind }: Case): string[] {
  const isPaired =
    next?.verb === 'delete' &&
    next.reason === 'Replaced' &&
    typeId(next.type) === typeId(kind.run) &&
    controllerOf(object)?.uid === next.precondition.uid;
  return change.reason === 'Replaced' && isPaired ? [] : ['a delete of a workload without its run'];
}

function markProblems({ reason, marks }: DeleteChange, { rules }: ScheduleKind): string[] {
  return sameValue(marks, rules.deleteMarks[reason]) ? [] : ['a delete with other marks than its reason has'];
}

/** Of the runs that a retention wants deleted: finished with success, and read in this very version. */
export function checkRetention(
  { type, key, uid, changes }: RetentionChanges,
  facts: Facts,
): readonly string[] {
  const kind = facts.kinds.find(
    ({ retention }) => retention !== undefined && typeId(retention.resource) === typeId(type),
  );
  if (kind?.retention === undefined || facts.schedule(key, uid) === undefined)
    return ['deletes for an object that was not read'];
  const { governs } = kind.retention;
  return changes.flatMap((change) => {
    const object = facts.run(change.key, change.precondition.uid);
    if (object === undefined) return ['a delete of an object that was not read'];
    const problems = [...versionProblems(change, object), ...markProblems(change, kind)];
    if (change.reason !== 'Retention') problems.push('a delete for another reason than retention');
    if (kind.phaseOf(object) !== 'succeeded') problems.push('a retention delete of a run without success');
    if (governs(object) !== `${key.namespace}/${key.name}`)
      problems.push('a retention delete of a run that something else governs');
    return problems;
  });
}

function phaseProblems(kind: ScheduleKind, run: KubeObject, replaced: boolean): string[] {
  switch (kind.phaseOf(run)) {
    case 'succeeded':
    case 'failed':
      return replaced ? ['a replacement of a finished run'] : [];
    case 'pending':
    case 'running':
      return replaced ? [] : ['a delete of an unfinished run'];
    case 'inert':
      return ['a delete of a run that is neither at work nor a result'];
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

/** Only marks that deletes of this kind leave are ever taken off, and only from runs of the schedule's own. */
function checkAnnotate({ key, precondition, annotations }: AnnotateChange, context: Case): string[] {
  const { schedule, kind, facts } = context;
  const object = facts.run(key, precondition.uid);
  if (object === undefined) return ['an annotation of an object that was not read'];
  const known = Object.values(kind.rules.deleteMarks).flatMap((marks) => Object.keys(marks));
  const problems: string[] = [];
  if (!belongsTo(object, schedule.uid, kind.rules.ownedBy)) problems.push("an annotation of another's run");
  if ((object.metadata.resourceVersion ?? '') !== precondition.resourceVersion)
    problems.push('an annotation of another version than was read');
  if (Object.entries(annotations).some(([name, value]) => value !== null || !known.includes(name)))
    problems.push('an annotation that is not a mark of ours taken off');
  return problems;
}

function checkChange(change: Change, context: Case): string[] {
  switch (change.verb) {
    case 'annotate':
      return checkAnnotate(change, context);
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
    case 'annotate':
      return 3;
    case 'create':
      return 1;
    case 'apply':
      return 2;
    case 'event':
      return 4;
  }
}

function slotOf(change: Change): Instant | undefined {
  return change.verb === 'apply' || change.verb === 'annotate' ? undefined : change.slot;
}

/** A run may be older than the clock says when the clock was set back: only what is done *for* a slot counts. */
function namesFuture(change: Change, now: Instant): boolean {
  const slot = slotOf(change);
  return change.verb !== 'delete' && slot !== undefined && slot > now;
}

/** One create per schedule, target and slot, and one slot per tick; several in a backfill, which does nothing else. */
function targetProblems(changes: readonly Change[], isBackfill: boolean): string[] {
  const creates = changes.filter((change) => change.verb === 'create');
  const problems: string[] = [];
  if (isBackfill && creates.length < changes.length)
    problems.push('another change than creates in a backfill');
  if (!isBackfill && new Set(creates.map(({ slot }) => slot)).size > 1)
    problems.push('creates for more than one slot');
  if (isBackfill && creates.some(({ slot }, index) => slot < (creates[index - 1]?.slot ?? slot)))
    problems.push('a backfill that does not begin with the oldest slot');
  if (new Set(creates.map(({ slot, target }) => `${slot} ${target}`)).size < creates.length)
    problems.push('more than one create for one schedule, target and slot');
  return problems;
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
  const creates = changes.some(({ verb }) => verb === 'create');
  for (const [index, change] of changes.entries()) {
    const next = changes[index + 1];
    problems.push(...checkChange(change, { schedule, kind, facts, creates, next }));
    if (namesFuture(change, now)) problems.push(`a ${change.verb} for a slot after now`);
  }
  if (changes.some((change, index) => index > 0 && rankOf(change) < rankOf(changes[index - 1] ?? change)))
    problems.push('changes out of order');
  problems.push(...targetProblems(changes, schedule.backfill === true));
  if (changes.filter(({ verb }) => verb === 'apply').length > 1)
    problems.push('more than one write of one status');
  return problems;
}
