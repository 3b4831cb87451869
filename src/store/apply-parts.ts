import type { AppliedChange } from '#core/change/applied.ts';
import type { Precondition } from '#core/change/change.ts';
import type { WorkChanges } from '#core/change/change-set.ts';
import type { WorkCreate, WorkDelete, WorkRelease } from '#core/change/work-change.ts';
import { keyId } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { PartStep, WorkStep } from '#core/run/driver.ts';
import { failWrite, note, type Progress, report } from './apply-progress.ts';
import type { WriteResult } from './port.ts';

type PartChange = WorkCreate | WorkRelease | WorkDelete;
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

/** Requests that are under way together. */
const AT_ONCE = 16;

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

/**
 * Writes the steps of one batch, a number of them at once; what came of them is noted in their order.
 * @returns whether the next write may follow
 */
export async function applyBatch(
  progress: PartProgress,
  batch: readonly PartStep[],
  parts: Parts,
): Promise<boolean> {
  const isAdding = batch[0]?.verb === 'add';
  const isCutShort = isAdding && parts.missing.length > 0;
  let goesOn = true;
  for (let start = 0; start < batch.length; start += AT_ONCE) {
    const some = batch.slice(start, start + AT_ONCE);
    const written = await Promise.all(
      some.map((step) => (isCutShort ? leaveOut(progress, step, parts) : applyPart(progress, step, parts))),
    );
    for (const { applied, ok } of written) {
      progress.applied.push(...applied);
      goesOn &&= ok;
    }
  }
  return goesOn || isAdding;
}

interface Written {
  readonly applied: readonly AppliedChange[];
  readonly ok: boolean;
}

const CUT_SHORT = 'another one before it could not be created';

async function leaveOut(progress: PartProgress, step: PartStep, parts: Parts): Promise<Written> {
  if (step.verb === 'add') parts.missing.push({ step, message: CUT_SHORT });
  const own: PartProgress = { ...progress, applied: [] };
  note(own, step.change, 'skipped', progress.stopReason() ?? CUT_SHORT);
  return { applied: own.applied, ok: true };
}

async function applyPart(progress: PartProgress, step: PartStep, parts: Parts): Promise<Written> {
  const own: PartProgress = { ...progress, applied: [] };
  const stopped = progress.stopReason();
  if (stopped !== undefined) {
    note(own, step.change, 'skipped', stopped);
    if (step.verb === 'add') parts.missing.push({ step, message: stopped });
    return { applied: own.applied, ok: false };
  }
  const ok = step.verb === 'add' ? await add(own, step, parts) : await end(own, step, parts);
  return { applied: own.applied, ok };
}

/** *Already exists* is a success only for what was wanted (design.md 3.4). */
async function add(
  progress: PartProgress,
  step: Extract<PartStep, { readonly verb: 'add' }>,
  { missing }: Parts,
): Promise<boolean> {
  const { store } = progress;
  const { change } = step;
  const result = await store.create(change.type, change.object);
  if (result.ok) {
    note(progress, change, 'done');
    return true;
  }
  if (result.failure.kind !== 'exists') {
    missing.push({ step, message: result.failure.message });
    failWrite(progress, change, result.failure);
    return false;
  }
  const read = await store.get(change.type, change.key);
  if (read.state === 'found' && step.isWanted(read.object)) {
    note(progress, change, 'unnecessary', 'it exists already');
    return true;
  }
  const message = `${change.key.name} exists and belongs to somebody else`;
  missing.push({ step, message });
  note(progress, change, 'failed', message);
  report(progress, change, 'NameTaken', { message });
  return false;
}

function versionOf({ metadata: { uid = '', resourceVersion = '' } }: KubeObject): Precondition {
  return { uid, resourceVersion };
}

function write(
  { store }: PartProgress,
  change: PartChange,
  precondition: Precondition,
): Promise<WriteResult> {
  const { type, key } = change;
  switch (change.verb) {
    case 'create':
      return store.create(type, change.object);
    case 'release':
      return store.removeFinalizers(type, key, precondition, change.finalizers);
    case 'delete':
      return store.delete(type, key, precondition, change.foreground === true ? 'Foreground' : undefined);
  }
}

/** One that changed meanwhile is read once, and written if it is still meant (design.md 3.7). */
async function end(
  progress: PartProgress,
  step: Extract<PartStep, { readonly verb: 'free' | 'remove' }>,
  { versions }: Parts,
): Promise<boolean> {
  const { change, isStill } = step;
  const { type, key } = change;
  const precondition = versions.get(keyId(key)) ?? change.precondition;
  let result = await write(progress, change, precondition);
  if (!result.ok && result.failure.kind === 'conflict') {
    const read = await progress.store.get(type, key);
    if (
      read.state === 'missing' ||
      (read.state === 'found' && read.object.metadata.uid !== precondition.uid)
    ) {
      note(progress, change, 'unnecessary', 'gone already');
      return true;
    }
    if (read.state === 'found' && isStill(read.object))
      result = await write(progress, change, versionOf(read.object));
  }
  if (!result.ok && result.failure.kind === 'gone') {
    note(progress, change, 'unnecessary', 'gone already');
    return true;
  }
  if (!result.ok) {
    failWrite(progress, change, result.failure);
    return false;
  }
  versions.set(keyId(key), versionOf(result.object));
  note(progress, change, 'done');
  return true;
}
