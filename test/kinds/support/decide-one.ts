import type { Settings } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';
import { type Reconciliation, reconcile } from '#core/reconcile.ts';
import { instant, parseInstant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';

const SETTINGS: Settings = {
  graceSeconds: 90,
  defaultTimeZone: 'UTC',
  writers: { 'cron-job': 'manage' },
  retention: {},
};

/** One tick over these objects, whatever their kinds. */
export function decideOne(objects: readonly KubeObject[], now: string): Reconciliation {
  const types = KINDS.flatMap(({ resource, run }) => [resource, run]);
  const observed = new Map(
    types.map((type) => [
      typeId(type),
      {
        state: 'read' as const,
        objects: objects.filter(({ kind }) => kind === type.kind).map((object) => ({ object })),
      },
    ]),
  );
  return reconcile({ observed, kinds: KINDS, settings: SETTINGS, now: parseInstant(now) ?? instant(0) });
}

/** The first run that a tick creates. */
export function createdRun(objects: readonly KubeObject[], now: string): KubeObject | undefined {
  const changes = decideOne(objects, now).changeSet.schedules.flatMap((schedule) => schedule.changes);
  return changes.flatMap((change) => (change.verb === 'create' ? [change.object] : []))[0];
}

/** `reason: note` of every event that a tick tells. */
export function toldNotes(objects: readonly KubeObject[], now: string): readonly string[] {
  const changes = decideOne(objects, now).changeSet.schedules.flatMap((schedule) => schedule.changes);
  return changes.flatMap((change) =>
    change.verb === 'event' ? [`${String(change.object.reason)}: ${String(change.object.note)}`] : [],
  );
}
