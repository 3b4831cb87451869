import type { ScheduleKind } from '#core/kind.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { readTimeValue, timeOf } from '#core/object/time-field.ts';
import { typeId } from '#core/observed.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { type Course, type Line, planEnding, wakeWatchers } from './course.ts';
import { durationOf } from './duration.ts';
import { kindsByRun } from './world.ts';

/** A run that took longer than it should already gets its time once more. */
function endOfKnown(run: KubeObject, seconds: number, from: Instant): Instant {
  const created = timeOf(readTimeValue(run.metadata.creationTimestamp));
  const end = created === undefined ? undefined : instant(created + seconds);
  return end === undefined || end <= from ? instant(from + seconds) : end;
}

function linesOfRuns(
  lines: Course['lines'],
  entries: Reconciliation['entries'],
): ReadonlyMap<KubeObject, Line> {
  const owners = new Map<KubeObject, Line>();
  for (const [id, { runs }] of entries) {
    const line = lines.get(id);
    if (line !== undefined) for (const { object } of runs) owners.set(object, line);
  }
  return owners;
}

function isAtWork({ phaseOf }: ScheduleKind, run: KubeObject): boolean {
  const phase = phaseOf(run);
  return phase === 'pending' || phase === 'running';
}

/** Plans the ends of runs that are at work from the beginning; one of an unknown phase never ends by itself. */
export function planKnownEnds(course: Course, entries: Reconciliation['entries']): void {
  const { input, world, lines, orders } = course;
  const owners = linesOfRuns(lines, entries);
  const played = new Set<string>();
  for (const order of input.played?.orders ?? []) {
    const { type, object } = order;
    const run = world.run(typeId(type), keyId(keyOf(object)));
    if (run === undefined) continue;
    played.add(keyId(keyOf(run)));
    orders?.add({ ...order, object: run }, owners.get(run), input.from);
  }
  for (const [type, kind] of kindsByRun(input.kinds)) {
    for (const run of world.runs(type)) {
      if (!isAtWork(kind, run)) continue;
      if (played.has(keyId(keyOf(run)))) continue;
      const line = owners.get(run);
      const { seconds } = line?.duration ?? durationOf(kind, [], input.durations);
      const at = endOfKnown(run, seconds, input.from);
      planEnding(course, { type, id: keyId(keyOf(run)), uid: run.metadata.uid, at, line });
    }
  }
}

/** Ends the runs whose time is over by the tick, before it is decided. */
export function endRuns(course: Course, tick: Instant): void {
  const { world, endings, input } = course;
  const due = (endings.get(tick) ?? []).sort((a, b) => a.at - b.at);
  endings.delete(tick);
  for (const { type, id, uid, at, line } of due) {
    const run = world.run(type, id);
    if (run === undefined || run.metadata.uid !== uid) continue;
    const isStopped = run.metadata.deletionTimestamp !== undefined;
    wakeWatchers(course, world.end(run, type, at, input.end), tick);
    if (!isStopped) line?.ledger.ended(at, input.end === 'succeeded');
  }
}
