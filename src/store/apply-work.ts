import type { AppliedWork } from '#core/change/applied.ts';
import type { EventChange, Precondition } from '#core/change/change.ts';
import type { WorkChanges } from '#core/change/change-set.ts';
import { eventChange } from '#core/change/event.ts';
import { preconditionOf } from '#core/change/precondition.ts';
import type { WorkApply, WorkChange, WorkCreate, WorkDelete, WorkRelease } from '#core/change/work-change.ts';
import { isObject, sameValue } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import type { PartStep, Work, WorkEnd, WorkStep } from '#core/run/driver.ts';
import { applyEvent } from './apply-event.ts';
import { applyBatch, batchAt, type Parts, writeEnd } from './apply-parts.ts';
import { failWrite, note, noteWrite, type Progress, report } from './apply-progress.ts';
import type { WriteFailure } from './port.ts';
import { writeStatus } from './write-status.ts';

/** One order on its way through its writes. */
interface Course {
  readonly progress: Progress<WorkChanges>;
  readonly work: Work;
  /** Of the order, moved forward by every write to it. */
  version: Precondition;
  /** The status fields of the order that the last write of them left. */
  written: JsonObject;
  /** What the last create made, or found. */
  made: KubeObject | undefined;
  readonly parts: Parts;
  /** The order is over, whatever else was meant to be written. */
  end: WorkEnd | undefined;
}

/**
 * Writes what a tick wants for an order, in its order: a write that does not go through ends the rest, which the next
 * tick decides anew. An object that the API refuses for good ends the order at once.
 */
export async function applyWork(
  progress: Progress<WorkChanges>,
  { work }: { readonly work: Work },
): Promise<AppliedWork> {
  const changes = progress.schedule;
  const { uid, resourceVersion } = changes;
  const course: Course = {
    progress,
    work,
    version: { uid, resourceVersion },
    written: {},
    made: undefined,
    parts: { versions: new Map(), missing: [] },
    end: undefined,
  };
  await applySteps(course, changes);
  const { end } = course;
  const isEnded = end !== undefined && (await endOrder(course, changes, end));
  const { state, reason } = isEnded ? end : work;
  return { work: changes, state, ...(reason === undefined ? {} : { reason }), applied: progress.applied };
}

async function applySteps(course: Course, { changes }: WorkChanges): Promise<void> {
  const { progress, work } = course;
  let halted: string | undefined;
  let index = 0;
  for (;;) {
    const change = changes[index];
    if (change === undefined) break;
    const reason = halted ?? progress.stopReason();
    const batch = reason === undefined ? batchAt(work.steps, index) : [];
    if (reason !== undefined) note(progress, change, 'skipped', reason);
    else if (!(await applyNext(course, change, { batch, step: work.steps[index] }))) halted = haltOf(course);
    index += Math.max(1, batch.length);
  }
  if (halted === undefined) await tellMissing(course);
}

interface Next {
  readonly step: WorkStep | undefined;
  /** The step and its neighbours that may go with it. */
  readonly batch: readonly PartStep[];
}

/** @returns whether the next write may follow */
async function applyNext(course: Course, change: WorkChange, { step, batch }: Next): Promise<boolean> {
  if (batch.length > 0) return applyBatch(course.progress, batch, course.parts);
  if (change.verb !== 'event') return applyStep(course, change, step);
  await tell(course, change);
  return true;
}

function haltOf({ end }: Course): string {
  return end === undefined ? 'an earlier write did not go through' : end.detail;
}

/** What the events tell of is not all true where parts are missing. */
async function tell({ progress, parts }: Course, change: EventChange): Promise<void> {
  if (parts.missing.length === 0) await applyEvent(progress, change);
  else note(progress, change, 'skipped', 'not everything could be created');
}

/** The first of them tells why; the others would say the same. */
async function tellMissing({ progress, work, parts }: Course): Promise<void> {
  const [first] = parts.missing;
  const { tellsEvents, changeSet } = progress.reconciliation;
  if (first === undefined || !tellsEvents || progress.stopReason() !== undefined) return;
  await applyEvent(
    progress,
    eventChange(work.source.object, first.step.failed(first.message), changeSet.now),
  );
}

/** @returns whether the next write may follow */
function applyStep(
  course: Course,
  change: WorkCreate | WorkApply | WorkRelease | WorkDelete,
  step: WorkStep | undefined,
): Promise<boolean> {
  switch (change.verb) {
    case 'create':
      return applyCreate(course, change, step);
    case 'apply':
      return change.precondition === undefined
        ? applyMadeStatus(course, change)
        : applyOwnStatus(course, meant(course, change, step));
    case 'release':
      return applyEnd(course, change, change.precondition);
    case 'delete':
      // The order as it was read and no other: what changed meanwhile is decided anew.
      return applyEnd(course, change, course.version);
  }
}

/** The status as it is without what could not be added. */
function meant({ parts }: Course, change: WorkApply, step: WorkStep | undefined): WorkApply {
  const missing = parts.missing.length;
  if (missing === 0 || step?.verb !== 'apply' || step.without === undefined) return change;
  return { ...change, fields: step.without(missing) };
}

async function applyOwnStatus(course: Course, change: WorkApply): Promise<boolean> {
  const { progress, work, version } = course;
  const { type, key, fields, before } = change;
  const result = await writeStatus(progress.store, {
    type,
    key,
    precondition: version,
    fields,
    before,
    read: work.source.object,
    annotations: change.annotations,
  });
  if (!result.ok) return fail(progress, change, result.failure);
  course.version = preconditionOf(result.object);
  course.written = fields;
  note(progress, change, 'done');
  return true;
}

/** The status that a body carried stands already where the definition has no subresource. */
async function applyMadeStatus({ progress, made }: Course, change: WorkApply): Promise<boolean> {
  if (made === undefined) {
    note(progress, change, 'skipped', 'what it tells of is not there');
    return false;
  }
  const status = isObject(made.status) ? made.status : {};
  if (Object.entries(change.fields).every(([field, value]) => sameValue(status[field], value))) {
    note(progress, change, 'unnecessary', 'it stands there already');
    return true;
  }
  const result = await progress.store.applyStatus(
    change.type,
    change.key,
    preconditionOf(made),
    change.fields,
  );
  if (!result.ok) return fail(progress, change, result.failure);
  note(progress, change, 'done');
  return true;
}

async function applyEnd(
  { progress }: Course,
  change: WorkRelease | WorkDelete,
  precondition: Precondition,
): Promise<boolean> {
  const result = await writeEnd(progress.store, change, precondition);
  return noteWrite(progress, change, result) === undefined;
}

function fail(progress: Progress<WorkChanges>, change: WorkChange, failure: WriteFailure): boolean {
  failWrite(progress, change, failure);
  return false;
}

async function applyCreate(course: Course, change: WorkCreate, step: WorkStep | undefined): Promise<boolean> {
  const { progress } = course;
  const result = await progress.store.create(change.type, change.object);
  if (result.ok) {
    course.made = result.object;
    note(progress, change, 'done');
    return true;
  }
  const { failure } = result;
  if (step?.verb !== 'create') return fail(progress, change, failure);
  switch (failure.kind) {
    case 'exists':
      return meetExisting(course, change, step);
    case 'forbidden':
    case 'invalid':
      course.end = step.refused(failure.message);
      return fail(progress, change, failure);
    case 'transient':
    case 'conflict':
    case 'fieldConflict':
    case 'gone':
    case 'terminating':
    case 'lost':
      return fail(progress, change, failure);
  }
}

/** *Already exists* is a success only for what was wanted (design.md 3.4). */
async function meetExisting(
  course: Course,
  change: WorkCreate,
  step: Extract<WorkStep, { readonly verb: 'create' }>,
): Promise<boolean> {
  const { progress } = course;
  const { name } = change.key;
  const read = await progress.store.get(change.type, change.key);
  switch (read.state) {
    case 'missing':
      return fail(progress, change, {
        kind: 'transient',
        message: `${name} existed a moment ago and is gone now`,
      });
    case 'failed':
      return fail(progress, change, { kind: 'transient', message: read.message });
    case 'found': {
      const { object } = read;
      if (step.isWanted(object)) {
        course.made = object;
        note(progress, change, 'unnecessary', 'it exists already');
        return true;
      }
      const message = `${name} exists and belongs to somebody else`;
      course.end = step.taken(object);
      note(progress, change, 'failed', message);
      report(progress, change, 'NameTaken', { message });
      return false;
    }
  }
}

/**
 * The order ends otherwise than was meant; what cannot be written is decided anew by the next tick.
 * @returns whether that stands now
 */
async function endOrder(course: Course, changes: WorkChanges, end: WorkEnd): Promise<boolean> {
  const { progress, work, version, written } = course;
  const { object } = work.source;
  const change: WorkApply = {
    verb: 'apply',
    type: changes.type,
    key: changes.key,
    reason: 'StatusChanged',
    precondition: version,
    fields: end.status,
    before: written,
  };
  const stopped = progress.stopReason();
  if (stopped !== undefined) note(progress, change, 'skipped', stopped);
  else if (await applyOwnStatus(course, change)) {
    const { tellsEvents, changeSet } = progress.reconciliation;
    if (tellsEvents) await applyEvent(progress, eventChange(object, end.event, changeSet.now));
    return true;
  }
  return false;
}
