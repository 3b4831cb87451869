import type { AppliedChange, ApplyReport } from '#core/change/applied.ts';
import { type ObjectDocument, toObjectDocument } from '#core/change/change-document.ts';
import { maskText, newMask } from '#core/change/mask.ts';
import type { Verdict } from '#core/change/verdict.ts';
import { keyText } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { apiVersionOf, EVENT, type ResourceType } from '#core/object/resource.ts';
import { formatInstant } from '#core/time/instant.ts';
import type { ChangeLine, Level, LogLine } from '#render/log/log-line.ts';

type Owner = Pick<
  ChangeLine,
  'schedule' | 'order' | 'policy' | 'verdict' | 'state' | 'reason' | 'slot' | 'lateSeconds'
>;

function levelOf(state: AppliedChange['state']): Level {
  switch (state) {
    case 'done':
    case 'unnecessary':
      return 'info';
    case 'skipped':
      return 'warn';
    case 'failed':
      return 'error';
  }
}

/** What was done, for people: an event is known by its reason, its name says nothing. */
function deedOf({ change }: AppliedChange): string {
  switch (change.verb) {
    case 'create':
    case 'delete':
    case 'annotate':
    case 'release':
      return `${change.verb} ${keyText(change.key)}`;
    case 'apply':
      return `status of ${keyText(change.key)}`;
    case 'event':
      return typeof change.object.reason === 'string' ? `event ${change.object.reason}` : 'event';
  }
}

function documentOf({ type, key }: { readonly type: ResourceType; readonly key: ObjectKey }): ObjectDocument {
  return toObjectDocument(apiVersionOf(type), key);
}

function changeLine(applied: AppliedChange, owner: Owner): LogLine<ChangeLine> {
  const { change, state, message } = applied;
  const type = change.verb === 'event' ? EVENT : change.type;
  const slot = 'slot' in change ? change.slot : undefined;
  const said = message === undefined ? undefined : maskText(message, newMask());
  const why = said === undefined ? '' : `, ${said}`;
  return {
    level: levelOf(state),
    msg: `${deedOf(applied)}: ${state}${why}`,
    type: 'change',
    ...owner,
    ...(slot === undefined ? {} : { slot: formatInstant(slot) }),
    verb: change.verb,
    because: change.reason,
    object: documentOf({ type, key: change.key }),
    outcome: state,
    ...(said === undefined ? {} : { message: said }),
  };
}

/**
 * Of the verdict what the change belongs to: the status records it, and what is made or told for its slot follows from
 * it. A delete, and what is made or told for another slot, is not about it.
 */
function followsFrom(change: AppliedChange['change'], { slot }: Verdict): boolean {
  switch (change.verb) {
    case 'apply':
      return true;
    case 'create':
    case 'event':
      return ('slot' in change ? change.slot : undefined) === slot;
    case 'delete':
    case 'annotate':
    case 'release':
      return false;
  }
}

function ofVerdict({ code, reason, slot, lateSeconds }: Verdict): Owner {
  return {
    verdict: code,
    ...(reason === undefined ? {} : { reason }),
    ...(slot === undefined ? {} : { slot: formatInstant(slot) }),
    ...(lateSeconds === undefined ? {} : { lateSeconds }),
  };
}

/** A line for every change of a tick, in the order in which they were written. */
export function changeLines({
  schedules,
  retention,
  works,
}: Pick<ApplyReport, 'schedules' | 'retention' | 'works'>): readonly LogLine<ChangeLine>[] {
  return [
    ...schedules.flatMap(({ schedule, verdict, applied }) => {
      const owner = { schedule: documentOf(schedule) };
      const whole = { ...owner, ...ofVerdict(verdict) };
      return applied.map((one) => changeLine(one, followsFrom(one.change, verdict) ? whole : owner));
    }),
    ...retention.flatMap(({ owner, applied }) =>
      applied.map((one) => changeLine(one, { policy: documentOf(owner) })),
    ),
    ...works.flatMap(({ work, state, reason, applied }) => {
      const owner = { order: documentOf(work), state, ...(reason === undefined ? {} : { reason }) };
      return applied.map((one) => changeLine(one, owner));
    }),
  ];
}
