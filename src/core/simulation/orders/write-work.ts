import type { WorkApply } from '#core/change/work-change.ts';
import { isObject } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';
import type { WorkStep } from '#core/run/driver.ts';
import { type Course, wakeWatchers } from '#core/simulation/course.ts';
import type { Instant } from '#core/time/instant.ts';
import { beginPart, freePart, type Parts, type PlayedOrder, removePart } from './parts.ts';

interface Place {
  readonly course: Omit<Course, 'orders'>;
  readonly parts: Parts;
  readonly order: PlayedOrder;
  /** The tick that sees what was written. */
  readonly next: Instant;
}

function annotated(object: KubeObject, { annotations = {} }: WorkApply): KubeObject['metadata'] {
  const { metadata } = object;
  const merged = Object.entries({ ...metadata.annotations, ...annotations });
  const kept = merged.filter((entry): entry is [string, string] => entry[1] !== null);
  const { annotations: _before, ...others } = metadata;
  return kept.length === 0 ? others : { ...others, annotations: Object.fromEntries(kept) };
}

function replaceOrder({ course, order, next }: Place, change: WorkApply | undefined): void {
  const { world } = course;
  const type = typeId(order.type);
  const before = world.run(type, order.id);
  if (before === undefined) return;
  const after =
    change === undefined || !isObject(change.fields)
      ? undefined
      : { ...before, metadata: annotated(before, change), status: change.fields };
  order.status = after?.status ?? before.status;
  wakeWatchers(course, world.replace(type, before, after), next);
}

function writeStep(place: Place, step: WorkStep, at: Instant): void {
  const { parts, order } = place;
  switch (step.verb) {
    case 'add':
      beginPart(parts, order, step.change.object, at);
      break;
    case 'free':
      if (step.change.verb === 'release')
        freePart(parts, order, step.change.key.name, step.change.finalizers);
      break;
    case 'remove':
      removePart(parts, order, step.change.key.name, at);
      break;
    case 'apply':
      replaceOrder(place, step.change);
      break;
    case 'delete':
      replaceOrder(place, undefined);
      break;
    case 'create':
    case 'release':
      // Orders that are carried out by parts have none of these.
      break;
  }
}

/** Writes what a tick wants for an order, as the walk over a change set does it where all goes well. */
export function writeWork(
  place: Place,
  steps: readonly WorkStep[],
  at: Instant,
): 'nothing' | 'written' | 'deleted' {
  for (const step of steps) writeStep(place, step, at);
  if (steps.some(({ verb }) => verb === 'delete')) return 'deleted';
  return steps.length === 0 ? 'nothing' : 'written';
}
