import type { Verdict } from '#core/change/verdict.ts';
import type { Decision } from '#core/kind.ts';
import type { Run } from '#core/run/phase.ts';
import type { Unmet } from '#core/run/plan.ts';
import type { OwedSlots } from '#core/slot/decide-slot.ts';
import type { Instant } from '#core/time/instant.ts';

type Owed = Pick<Verdict, 'slot' | 'lateSeconds' | 'superseded' | 'expired' | 'next'>;

function withNext(next: Instant | undefined): Pick<Verdict, 'next'> {
  return next === undefined ? {} : { next };
}

/** The slot itself is neither superseded nor, in these counts, expired. */
function owedPart({ slot, oldest, count, lateSeconds, next, expired }: OwedSlots): Owed {
  const gone = expired === undefined ? 0 : expired.count - (expired.latest === slot ? 1 : 0);
  const older = count - 1 - gone;
  const first = gone > 0 ? expired?.next : oldest;
  return {
    slot,
    lateSeconds,
    ...(older > 0 && first !== undefined ? { superseded: { count: older, oldest: first } } : {}),
    ...(gone > 0 ? { expired: { count: gone, oldest } } : {}),
    ...withNext(next),
  };
}

/** In a pause slots pass, they do not expire. */
function unaged({ expired: _expired, ...owed }: OwedSlots): OwedSlots {
  return owed;
}

function names(runs: readonly Run[]): readonly string[] {
  return runs.map((run) => run.object.metadata.name);
}

/** The verdict that a decision amounts to as long as its writes succeed. */
export function verdictOf(decision: Decision): Verdict {
  switch (decision.state) {
    case 'deleting':
      return { code: 'deleting' };
    case 'badTiming':
      return { code: 'invalid', detail: decision.problem.what };
    case 'never':
      return { code: 'invalid', detail: 'no instant matches the schedule' };
    case 'suspended':
      return {
        code: 'suspended',
        ...(decision.owed ? owedPart(unaged(decision.owed)) : withNext(decision.next)),
      };
    case 'resumed':
      return {
        code: 'suspended',
        ...owedPart(unaged(decision.owed)),
        detail: 'the slot passed while the schedule was suspended',
      };
    case 'waiting':
      return { code: 'waiting', ...withNext(decision.next) };
    case 'expired':
      return { code: 'expired', ...owedPart(decision.owed) };
    case 'held':
      return { code: 'held', ...owedPart(decision.owed), runs: names(decision.by) };
    case 'blocked':
      return {
        code: decision.plan.blocked[0]?.code ?? 'held',
        ...owedPart(decision.owed),
        detail: sentences(decision.plan.blocked),
      };
    case 'empty':
      return { code: 'empty', ...owedPart(decision.owed), detail: sentences(decision.plan.omitted) };
    case 'done':
      return {
        code: 'fired',
        ...owedPart(decision.owed),
        runs: names(decision.runs),
        detail: decision.runs.length === 1 ? 'the run exists already' : 'the runs exist already',
      };
    case 'leaving':
      return {
        code: 'held',
        ...owedPart(decision.owed),
        runs: names([decision.run]),
        detail: 'the run of the slot is being deleted',
      };
    case 'taken':
      return { code: 'conflict', ...owedPart(decision.owed), runs: [decision.name] };
    case 'deferred':
      return { code: 'deferred', ...owedPart(decision.owed), detail: decision.budget };
    case 'fire':
      return firedVerdict(decision);
  }
}

function firedVerdict(decision: Decision & { readonly state: 'fire' }): Verdict {
  const { creates, existing, unmet, plan, owed } = decision;
  const started = [...names(existing), ...creates.map(({ key }) => key.name)];
  const { runs = started, code } = unmetPart(unmet);
  const details = [...new Set([...unmet.map(unmetText), ...plan.omitted.map(({ what }) => what)])];
  const detail = details.length === 0 ? {} : { detail: details.join('; ') };
  return { code, ...owedPart(owed), ...(runs.length === 0 ? {} : { runs }), ...detail };
}

/** A slot that is started in part is not over: the verdict is that of what it still owes. */
function unmetPart(unmet: readonly Unmet[]): Pick<Verdict, 'code' | 'runs'> {
  const taken = unmet.flatMap((one) => (one.state === 'taken' ? [one.name] : []));
  if (taken.length > 0) return { code: 'conflict', runs: taken };
  const blocked = unmet.find((one) => one.state === 'blocked');
  if (blocked !== undefined) return { code: blocked.blocker.code, runs: [] };
  const leaving = unmet.flatMap((one) => (one.state === 'leaving' ? [one.name] : []));
  if (leaving.length > 0) return { code: 'held', runs: leaving };
  return { code: unmet.length > 0 ? 'deferred' : 'fired' };
}

export function unmetText(unmet: Unmet): string {
  switch (unmet.state) {
    case 'taken':
      return `the name ${unmet.name} is taken`;
    case 'leaving':
      return `${unmet.name} is being deleted`;
    case 'deferred':
      return unmet.budget;
    case 'blocked':
      return unmet.blocker.what;
  }
}

function sentences(parts: readonly { readonly what: string }[]): string {
  return parts.map(({ what }) => what).join('; ');
}
