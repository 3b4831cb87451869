import type { Verdict } from '#core/change/verdict.ts';
import type { Decision } from '#core/kind.ts';
import type { Run } from '#core/run/phase.ts';
import type { Unmet } from '#core/run/plan.ts';
import type { OwedSlots } from '#core/slot/decide-slot.ts';
import type { Instant } from '#core/time/instant.ts';

type Owed = Pick<Verdict, 'slot' | 'lateSeconds' | 'superseded' | 'next'>;

function withNext(next: Instant | undefined): Pick<Verdict, 'next'> {
  return next === undefined ? {} : { next };
}

function owedPart(owed: OwedSlots): Owed {
  const older = owed.count > 1 ? { superseded: { count: owed.count - 1, oldest: owed.oldest } } : {};
  return { slot: owed.slot, lateSeconds: owed.lateSeconds, ...older, ...withNext(owed.next) };
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
      return { code: 'suspended', ...(decision.owed ? owedPart(decision.owed) : withNext(decision.next)) };
    case 'resumed':
      return {
        code: 'suspended',
        ...owedPart(decision.owed),
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
  const details = [...unmet.map(unmetText), ...plan.omitted.map(({ what }) => what)];
  const detail = details.length === 0 ? {} : { detail: details.join('; ') };
  return { code: 'fired', ...owedPart(owed), runs: started, ...detail };
}

function unmetText(unmet: Unmet): string {
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
