import type { Precondition } from '#core/change/change.ts';
import type { WorkChanges } from '#core/change/change-set.ts';
import { preconditionOf } from '#core/change/precondition.ts';
import type { WorkDelete, WorkRelease } from '#core/change/work-change.ts';
import { keyId } from '#core/object/key.ts';
import type { PartStep, WorkStep } from '#core/run/driver.ts';
import { failWrite, note, noteWrite, type Progress, report } from './apply-progress.ts';
import { inLanes } from './in-lanes.ts';
import type { Store, WriteResult } from './port.ts';

type PartProgress = Progress<WorkChanges>;

/** Parts of one order on their way. */
export interface Parts {
  /** By `keyId`: the version that the last write to a part left. */
  readonly versions: Map<string, Precondition>;
  /** Why parts are missing, once for each. */
  readonly missing: {
    readonly step: Extract<PartStep, { readonly verb: 'add' }>;
    readonly message: string;
  }[];
}

function isPart(step: WorkStep | undefined): step is PartStep {
  return step?.verb === 'add' || step?.verb === 'free' || step?.verb === 'remove';
}

/** How many steps from there on are of one batch. */
export function batchAt(steps: readonly WorkStep[], start: number): readonly PartStep[] {
  const first = steps[start];
  if (!isPart(first)) return [];
  const batch: PartStep[] = [];
  for (const step of steps.slice(start)) {
    if (!isPart(step) || step.verb !== first.verb || step.batch !== first.batch) break;
    batch.push(step);
  }
  return batch;
}

const CUT_SHORT = 'another one before it could not be created';

/**
 * Writes the steps of one batch, as many at once as the store takes; what came of them is told in their order.
 * @returns whether the next write may follow
 */
export async function applyBatch(
  progress: PartProgress,
  batch: readonly PartStep[],
  parts: Parts,
): Promise<boolean> {
  const isAdding = batch[0]?.verb === 'add';
  const isCutShort = isAdding && parts.missing.length > 0;
  const written = await inLanes(batch, progress.store.writesAtOnce, async (step) => {
    const own: PartProgress = { ...progress, applied: [], diagnostics: [] };
    const left = progress.stopReason() ?? (isCutShort ? CUT_SHORT : undefined);
    if (left !== undefined) note(own, step.change, 'skipped', left);
    return { step, own, fault: left ?? (await applyPart(own, step, parts)) };
  });
  for (const { step, own, fault } of written) {
    progress.applied.push(...own.applied);
    progress.diagnostics.push(...own.diagnostics);
    if (fault !== undefined && step.verb === 'add') parts.missing.push({ step, message: fault });
  }
  return isAdding || written.every(({ fault }) => fault === undefined);
}

/** @returns why the step did not go through */
function applyPart(progress: PartProgress, step: PartStep, { versions }: Parts): Promise<string | undefined> {
  return step.verb === 'add' ? add(progress, step) : end(progress, step, versions);
}

/** *Already exists* is a success only for what was wanted (design.md 3.4). */
async function add(
  progress: PartProgress,
  { change, isWanted }: Extract<PartStep, { readonly verb: 'add' }>,
): Promise<string | undefined> {
  const { store } = progress;
  const result = await store.create(change.type, change.object);
  if (result.ok) {
    note(progress, change, 'done');
    return undefined;
  }
  if (result.failure.kind !== 'exists') {
    failWrite(progress, change, result.failure);
    return result.failure.message;
  }
  const read = await store.get(change.type, change.key);
  if (read.state === 'found' && isWanted(read.object)) {
    note(progress, change, 'unnecessary', 'it exists already');
    return undefined;
  }
  const message = `${change.key.name} exists and belongs to somebody else`;
  note(progress, change, 'failed', message);
  report(progress, change, 'NameTaken', { message });
  return message;
}

/** Takes finalizers off an object, or deletes it. */
export function writeEnd(
  store: Store,
  change: WorkRelease | WorkDelete,
  precondition: Precondition,
): Promise<WriteResult> {
  const { type, key } = change;
  switch (change.verb) {
    case 'release':
      return store.removeFinalizers(type, key, precondition, change.finalizers);
    case 'delete':
      return store.delete(type, key, precondition, change.foreground === true ? 'Foreground' : undefined);
  }
}

/** One that changed meanwhile is read once, and written if it is still meant (design.md 3.7). */
async function end(
  progress: PartProgress,
  { change, isStill }: Extract<PartStep, { readonly verb: 'free' | 'remove' }>,
  versions: Parts['versions'],
): Promise<string | undefined> {
  const { store } = progress;
  const { type, key } = change;
  const precondition = versions.get(keyId(key)) ?? change.precondition;
  let result = await writeEnd(store, change, precondition);
  if (!result.ok && result.failure.kind === 'conflict') {
    const read = await store.get(type, key);
    if (
      read.state === 'missing' ||
      (read.state === 'found' && read.object.metadata.uid !== precondition.uid)
    ) {
      note(progress, change, 'unnecessary', 'gone already');
      return undefined;
    }
    if (read.state === 'found' && isStill(read.object))
      result = await writeEnd(store, change, preconditionOf(read.object));
  }
  if (result.ok) versions.set(keyId(key), preconditionOf(result.object));
  return noteWrite(progress, change, result);
}
