import type { ScheduleChanges } from '#core/change/change-set.ts';
import { type Diagnostic, toldAboutName } from '#core/diagnostic.ts';
import type { ScheduleKind } from '#core/kind.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { listingOf, typeId } from '#core/observed.ts';
import { EXIT } from './exit-code.ts';
import { noneText, type ObjectRef, schedulesNamed, severalText } from './find-schedule.ts';
import type { Io } from './io.ts';
import type { Shown, Sight } from './look.ts';
import { usageError } from './usage-error.ts';

/** A schedule that a verb was asked about, as it was read and as a tick decides about it. */
export interface OneSchedule {
  readonly kind: ScheduleKind;
  readonly source: SourcedObject;
  readonly changes: ScheduleChanges;
}

/** What is meant, or what was told instead. */
export type Meant<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly shown: Shown };

/** All schedules, or those that were named: at least one; with what was found about them. */
export function wantedSchedules(
  { changeSet, tick, diagnostics }: Sight,
  ref: ObjectRef | undefined,
  io: Io,
): Meant<readonly ScheduleChanges[]> & { readonly told: readonly Diagnostic[] } {
  const { schedules } = changeSet;
  if (ref === undefined) return { ok: true, value: schedules, told: diagnostics };
  const hits = schedulesNamed(schedules, ref);
  const told = toldAboutName(diagnostics, ref.name);
  if (hits.length > 0) {
    const ids = new Set(hits.map(({ key }) => keyId(key)));
    const own = told.filter(({ object }) => object === undefined || ids.has(keyId(object)));
    return { ok: true, value: hits, told: own };
  }
  io.stderr.write(`error: ${noneText(schedules, ref, tick)}\n`);
  return { ok: false, shown: { code: EXIT.failed, diagnostics: told }, told };
}

/** The changes of the one schedule that is named; anything else is told. */
export function oneNamed(sight: Sight, ref: ObjectRef, io: Io): Meant<ScheduleChanges> {
  const wanted = wantedSchedules(sight, ref, io);
  if (!wanted.ok) return wanted;
  const [only, another] = wanted.value;
  if (only !== undefined && another === undefined) return { ok: true, value: only };
  return { ok: false, shown: { code: usageError(io, severalText(wanted.value)), diagnostics: [] } };
}

/** Whether it is one that a run may be made of by hand: told of a first look, before anything is prepared for that. */
export function isStartable({ changeSet, tick }: Sight, ref: ObjectRef): boolean {
  const [one, another] = schedulesNamed(changeSet.schedules, ref);
  if (one === undefined || another !== undefined || one.verdict.code === 'deleting') return false;
  return tick.reconciliation.entries.has(keyId(one.key));
}

/** The same with its object as it was read. */
export function oneSchedule(sight: Sight, ref: ObjectRef, io: Io): Meant<OneSchedule> {
  const named = oneNamed(sight, ref, io);
  if (!named.ok) return named;
  const { value: changes } = named;
  const { kinds, observed } = sight.tick;
  const kind = kinds.find(({ resource }) => typeId(resource) === typeId(changes.type));
  const listing = kind === undefined ? undefined : listingOf(observed, kind.resource);
  const source =
    listing?.state === 'read'
      ? listing.objects.find(({ object }) => keyId(keyOf(object)) === keyId(changes.key))
      : undefined;
  if (kind !== undefined && source !== undefined) return { ok: true, value: { kind, source, changes } };
  io.stderr.write('error: what is recorded of it cannot be read\n');
  const errors = sight.diagnostics.filter(({ severity }) => severity === 'error');
  return { ok: false, shown: { code: EXIT.failed, diagnostics: errors } };
}
