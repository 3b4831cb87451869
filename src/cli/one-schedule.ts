import type { ScheduleChanges } from '#core/change/change-set.ts';
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

export type OneFound =
  | { readonly ok: true; readonly schedule: OneSchedule }
  | { readonly ok: false; readonly shown: Shown };

/** The one schedule that is meant; anything else is told. */
export function oneSchedule({ changeSet, tick, diagnostics }: Sight, ref: ObjectRef, io: Io): OneFound {
  const hits = schedulesNamed(changeSet.schedules, ref);
  const [changes] = hits;
  if (hits.length > 1)
    return { ok: false, shown: { code: usageError(io, severalText(hits)), diagnostics: [] } };
  const kind = tick.kinds.find(
    ({ resource }) => changes !== undefined && typeId(resource) === typeId(changes.type),
  );
  const listing = kind === undefined ? undefined : listingOf(tick.observed, kind.resource);
  const source =
    listing?.state === 'read'
      ? listing.objects.find(({ object }) => keyId(keyOf(object)) === keyId(changes?.key ?? keyOf(object)))
      : undefined;
  if (changes !== undefined && kind !== undefined && source !== undefined)
    return { ok: true, schedule: { kind, source, changes } };
  const message =
    changes === undefined
      ? noneText(changeSet.schedules, ref, tick.kinds)
      : 'what is recorded of it cannot be read';
  io.stderr.write(`error: ${message}\n`);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return { ok: false, shown: { code: EXIT.failed, diagnostics: errors } };
}
