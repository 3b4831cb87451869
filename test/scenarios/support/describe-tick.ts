import type { AppliedChange, ApplyReport } from '#core/change/applied.ts';
import type { ApplyChange, Change, DeleteChange } from '#core/change/change.ts';
import type { ChangeSet } from '#core/change/change-set.ts';
import type { Verdict } from '#core/change/verdict.ts';
import type { WorkChange } from '#core/change/work-change.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import { isObject, sameValue, textMember } from '#core/object/canonical.ts';
import { keyId, keyText } from '#core/object/key.ts';
import type { Json, JsonObject, ObjectKey } from '#core/object/object.ts';
import { formatInstant } from '#core/time/instant.ts';

/** One tick in the words of a `want.yaml`; members without a value are left out. */
export type TickText = Readonly<Record<string, unknown>>;

function conditionLines(before: Json | undefined, after: Json | undefined): string[] {
  const known: readonly Json[] = Array.isArray(before) ? before : [];
  const list: readonly Json[] = Array.isArray(after) ? after : [];
  const types = new Set(list.map((entry) => textMember(entry, 'type')));
  const dropped = known.filter((entry) => !types.has(textMember(entry, 'type')));
  const changed = list
    .filter((entry) => !known.some((one) => sameValue(one, entry)))
    .map((entry) => {
      const part = (name: string): string => textMember(entry, name) ?? '?';
      const generation = isObject(entry) ? entry.observedGeneration : undefined;
      const seen = generation === undefined ? '' : ` generation ${String(generation)}`;
      return `status condition ${part('type')}=${part('status')} ${part('reason')}${seen} since ${part('lastTransitionTime')}`;
    });
  return [
    ...changed,
    ...dropped.map((entry) => `status condition ${textMember(entry, 'type') ?? '?'} is dropped`),
  ];
}

/** `{at: 2026-03-01T02:36:58Z, cron: H 2 * * *}`. */
function recordText(value: JsonObject): string {
  const members = Object.entries(value).map(([key, member]) => {
    return `${key}: ${isObject(member) ? recordText(member) : String(member)}`;
  });
  return `{${members.join(', ')}}`;
}

function memberText(field: string, value: Json | undefined): string {
  if (value === undefined && field !== 'active') return ' is removed';
  if (isObject(value)) return `: ${recordText(value)}`;
  if (field !== 'active') return `: ${String(value)}`;
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  return `: [${list.map((entry) => textMember(entry, 'name') ?? '?').join(', ')}]`;
}

function statusLines({ fields, before }: Pick<ApplyChange, 'fields' | 'before'>): string[] {
  const plain = ['lastScheduleTime', 'lastSuccessfulTime', 'active'];
  const known = new Set([...plain, 'conditions']);
  const others = Object.keys({ ...before, ...fields }).filter((field) => !known.has(field));
  const changed = [...plain, ...others].filter((field) => !sameValue(before[field], fields[field]));
  return [
    ...changed.map((field) => `status ${field}${memberText(field, fields[field])}`),
    ...conditionLines(before.conditions, fields.conditions),
  ];
}

/** `, pruned-by retention`: what is written on it first. */
function markText({ marks = {} }: DeleteChange): string {
  return Object.entries(marks)
    .map(([name, value]) => `, ${name.split('/').at(-1) ?? name} ${value}`)
    .join('');
}

function changeLines(change: Change | WorkChange): string[] {
  switch (change.verb) {
    case 'create':
      return [
        `create ${change.key.kind} ${change.key.name}${'slot' in change ? ` (slot ${formatInstant(change.slot)})` : ''}`,
      ];
    case 'delete':
      return [
        `delete ${change.key.kind} ${change.key.name}: ${change.reason}${'marks' in change ? markText(change) : ''}`,
      ];
    case 'annotate':
      return Object.entries(change.annotations).map(
        ([name, value]) => `annotate ${change.key.kind} ${change.key.name}: ${name} ${value ?? 'is removed'}`,
      );
    case 'apply': {
      const of = change.precondition === undefined ? `${change.key.kind} ${change.key.name}: ` : '';
      return statusLines(change).map((line) => of + line);
    }
    case 'release':
      return change.finalizers.map((one) => `release ${one}`);
    case 'event':
      return [`event ${String(change.object.type)} ${String(change.object.reason)}`];
  }
}

function outcomeText({ state, message }: AppliedChange): string {
  switch (state) {
    case 'done':
      return message === undefined ? '' : ` (${message})`;
    case 'unnecessary':
    case 'failed':
    case 'skipped':
      return ` (${state}: ${message ?? ''})`;
  }
}

function linesOf(applied: readonly AppliedChange[]): string {
  return applied
    .flatMap((one) => changeLines(one.change).map((line) => `${line}${outcomeText(one)}\n`))
    .join('');
}

function verdictText(verdict: Verdict): JsonObject {
  const { code, reason, slot, superseded, next, runs, actor, foreseen } = verdict;
  return {
    verdict: reason === undefined ? code : `${code} ${reason}`,
    ...(actor === undefined ? {} : { actor }),
    ...(foreseen === undefined ? {} : { foreseen: verdictText(foreseen) }),
    ...(slot === undefined ? {} : { slot: formatInstant(slot) }),
    ...(superseded === undefined
      ? {}
      : { superseded: `${superseded.count} since ${formatInstant(superseded.oldest)}` }),
    ...(next === undefined ? {} : { next: formatInstant(next) }),
    ...(runs === undefined || code === 'fired' ? {} : { runs: [...runs] }),
  };
}

function diagnosticLine({ severity, code, path }: Diagnostic): string {
  return `${severity} ${code}${path === undefined ? '' : ` ${path.join('.')}`}\n`;
}

function withText(name: string, text: string): Readonly<Record<string, string>> {
  return text === '' ? {} : { [name]: text };
}

function stateText({ state, reason }: { readonly state: string; readonly reason?: string }): string {
  return reason === undefined ? state : `${state} ${reason}`;
}

function toldOf({ diagnostics }: ChangeSet, key: ObjectKey): readonly Diagnostic[] {
  return diagnostics.filter(({ object }) => object !== undefined && keyId(object) === keyId(key));
}

/** What a tick decided and what came of it. */
export function describeTick(
  changeSet: ChangeSet,
  report: ApplyReport,
  beforehand: readonly Diagnostic[],
): TickText {
  const applied = new Map(report.schedules.map((one) => [keyId(one.schedule.key), one]));
  const ids = new Set([...changeSet.schedules, ...changeSet.works].map(({ key }) => keyId(key)));
  const isOfSchedule = ({ object }: Diagnostic): boolean => object !== undefined && ids.has(keyId(object));
  const retention = report.retention.map(
    ({ owner, applied: done }) => [keyText(owner.key), { changes: linesOf(done) }] as const,
  );
  const schedules = changeSet.schedules.map(({ key, verdict }) => {
    const done = applied.get(keyId(key));
    const told = toldOf(changeSet, key);
    return [
      keyText(key),
      {
        ...verdictText(done?.verdict ?? verdict),
        ...withText('changes', linesOf(done?.applied ?? [])),
        ...withText('diagnostics', told.map(diagnosticLine).join('')),
      },
    ] as const;
  });
  const written = new Map(report.works.map((one) => [keyId(one.work.key), one]));
  const works = changeSet.works.map(({ key, state, reason }) => {
    const done = written.get(keyId(key));
    return [
      keyText(key),
      {
        state: stateText(done ?? { state, ...(reason === undefined ? {} : { reason }) }),
        ...withText('changes', linesOf(done?.applied ?? [])),
        ...withText('diagnostics', toldOf(changeSet, key).map(diagnosticLine).join('')),
      },
    ] as const;
  });
  const general = [...beforehand, ...changeSet.diagnostics.filter((one) => !isOfSchedule(one))].map(
    diagnosticLine,
  );
  const failures = report.diagnostics.map(
    ({ severity, code, object }) =>
      `${severity} ${code}${object === undefined ? '' : ` ${keyText(object)}`}\n`,
  );
  return {
    at: formatInstant(changeSet.now),
    ...Object.fromEntries(schedules),
    ...Object.fromEntries(retention),
    ...Object.fromEntries(works),
    ...withText('diagnostics', [...general, ...failures].join('')),
  };
}
