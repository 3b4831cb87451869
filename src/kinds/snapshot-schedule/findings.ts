import type { Finding, SettleInput } from '#core/kind.ts';
import { unknownPhaseFindings } from '#core/run/unknown-phase.ts';
import { formatInstant } from '#core/time/instant.ts';
import type { Effective } from './defaults.ts';
import { instantOf, slotField } from './pin.ts';
import type { Reading } from './status.ts';

const ZONE_PATH = ['spec', 'schedule', 'timezone'];
const JITTER_PATH = ['spec', 'schedule', 'jitter'];

/** snapshot-schedule.md 2.8: where inherited values disagree, none of them counts. */
function disagreements({ zoneCandidates, jitterCandidates }: Effective): Finding[] {
  const findings: Finding[] = [];
  if (zoneCandidates !== undefined) {
    findings.push({
      code: 'AmbiguousDefault',
      severity: 'warning',
      path: ZONE_PATH,
      what: `the repositories of the matched policies name different time zones: ${zoneCandidates.join(', ')}`,
      why: 'UTC is used instead',
      fix: 'set spec.schedule.timezone',
    });
  }
  if (jitterCandidates !== undefined) {
    findings.push({
      code: 'AmbiguousDefault',
      severity: 'warning',
      path: JITTER_PATH,
      what: `the repositories of the matched policies name different jitter windows: ${jitterCandidates.join(', ')}`,
      why: 'slots are not spread at all',
      fix: 'set spec.schedule.jitter',
    });
  }
  return findings;
}

function degradedFindings({ degraded }: Effective): Finding[] {
  if (degraded === undefined) return [];
  return [
    {
      code: 'ReferentUnusable',
      severity: 'warning',
      path: ['spec'],
      what: degraded,
      why: 'what the schedule inherits stays as its pin recorded it, and nothing can be started for what is missing',
    },
  ];
}

/** A slot that was due, or held, when an edit voided its pin: the old expression never fires once more (2.4). */
export function givenUp(
  { decision, now }: SettleInput,
  { schedule, voidedBy, suspended }: Pick<Reading, 'schedule' | 'voidedBy' | 'suspended'>,
): Finding | undefined {
  const at = instantOf(slotField(schedule.status, 'nextSchedule'));
  if (voidedBy === undefined || suspended || at === undefined || at > now) return undefined;
  if (decision.state !== 'waiting') return undefined;
  return {
    code: 'SlotGivenUp',
    severity: 'warning',
    path: ['spec', 'schedule', voidedBy],
    what: `the slot ${formatInstant(at)} is given up, because its ${voidedBy} is another one now`,
    why: 'a slot is never started by an expression, zone or window that no longer holds',
  };
}

function overlooked({ decision }: SettleInput): Finding[] {
  if (decision.state !== 'waiting' || decision.overlooked === undefined || decision.next === undefined)
    return [];
  return [
    {
      code: 'AnchorInFuture',
      severity: 'warning',
      path: ['status', 'nextSchedule', 'at'],
      what: `status.nextSchedule.at is ${formatInstant(decision.next)}, later than the slot ${formatInstant(decision.overlooked)}`,
      why: 'nothing is started before the pinned slot, as after a clock that was set back',
      fix: 'check the clock; remove status.nextSchedule, and a status.lastSchedule in the future, if the times are wrong',
    },
  ];
}

function nothingToStart(severity: Finding['severity'], what: string): Finding {
  return { code: 'NothingToStart', severity, path: ['spec'], what };
}

type Outlook = Pick<Reading, 'effective' | 'unmatched' | 'suspended'>;

/** Told before the slot, too: nobody finds out at night that nothing was backed up. */
function omissions({ decision }: SettleInput, { unmatched, suspended }: Outlook): Finding[] {
  if (decision.state !== 'fire' && decision.state !== 'empty' && decision.state !== 'done') {
    return unmatched === undefined || suspended ? [] : [nothingToStart('warning', unmatched)];
  }
  return decision.plan.omitted.map(({ severity, what }) => nothingToStart(severity, what));
}

function takenNames({ decision, outcomes }: SettleInput): readonly string[] {
  if (decision.state === 'taken') return [decision.name];
  if (decision.state !== 'fire') return [];
  return [
    ...decision.unmet.flatMap((unmet) => (unmet.state === 'taken' ? [unmet.name] : [])),
    ...decision.creates.flatMap(({ key }, index) =>
      outcomes.creates[index]?.state === 'taken' ? [key.name] : [],
    ),
  ];
}

/** D10: no other name is tried. */
function taken(input: SettleInput): Finding[] {
  return takenNames(input).map((name) => ({
    code: 'NameTaken',
    severity: 'error',
    path: ['metadata', 'name'],
    what: `the name ${name} is taken by a Snapshot that is not this schedule's run of the slot`,
    why: 'a run counts only with the uid of its schedule and its slot; no other name is used',
    fix: `delete or rename ${name}; the slot stays due until then`,
  }));
}

export function settleFindings(input: SettleInput, reading: Outlook): readonly Finding[] {
  const { effective } = reading;
  return [
    // What is being deleted counts for nothing, whatever its phase.
    ...unknownPhaseFindings(input.runs.filter(({ terminating }) => !terminating)),
    ...disagreements(effective),
    ...degradedFindings(effective),
    ...overlooked(input),
    ...omissions(input, reading),
    ...taken(input),
  ];
}
