import type { Verdict } from '#core/change/verdict.ts';
import { timingOf } from '#core/entry-timing.ts';
import { withAbsences } from '#core/explain-absence.ts';
import { owedSlots } from '#core/explain-owed.ts';
import { lastRun, lastSuccess, openRuns, withRuns } from '#core/explain-runs.ts';
import type { Explanation, RulesExplanation, TimingExplanation, ZoneOrigin } from '#core/explanation.ts';
import { forecastEntry, lookBack } from '#core/forecast.ts';
import type { Schedule } from '#core/kind.ts';
import { keyOf } from '#core/object/key.ts';
import type { JsonObject } from '#core/object/object.ts';
import { valueAt } from '#core/object/value-at.ts';
import type { Entry } from '#core/settle.ts';
import { zoneInPrefix } from '#core/slot/prefix.ts';
import type { Timing } from '#core/slot/timing.ts';
import type { Instant } from '#core/time/instant.ts';
import { zoneNameProblem } from '#core/time/zone-name.ts';

const SLOTS = 5;

function zoneOrigin({ object, timing }: Schedule): ZoneOrigin {
  if (timing.zoneFrom !== undefined) return { from: 'referent', words: timing.zoneFrom };
  if (zoneInPrefix(timing.expression, timing.dialect) !== undefined) return { from: 'prefix' };
  const spec: JsonObject = object.spec === undefined ? {} : { spec: object.spec };
  const path = timing.zonePath;
  const written = path !== timing.expressionPath && typeof valueAt(spec, path) === 'string';
  return written ? { from: 'field', path } : { from: 'default' };
}

function explainTiming({ schedule, range }: Entry, timing: Timing | undefined): TimingExplanation {
  const {
    expression,
    dialect,
    zone,
    dst = 'clean',
    jitterSeconds = 0,
    jitterFrom,
    refused,
  } = schedule.timing;
  const isHashed = range === undefined && timing?.seeded === true && /(?:^|\s)H(?:\s|$)/.test(expression);
  const zoneName = timing?.zone.name ?? zoneInPrefix(expression, dialect) ?? zone;
  return {
    expression,
    resolved: isHashed ? timing.resolved : undefined,
    zone: timing?.zone,
    zoneName,
    zoneProblem: timing === undefined ? zoneNameProblem(zoneName)?.what : undefined,
    zoneOrigin: zoneOrigin(schedule),
    refused,
    dst: timing?.dst ?? dst,
    jitterSeconds,
    jitterFrom,
    provisional: range !== undefined,
  };
}

function explainRules({ kind, schedule }: Entry, graceSeconds: number): RulesExplanation {
  const { exactlyOnDeadline, suspendedSlots, heldSlots } = kind.rules;
  const { concurrency, deadlineSeconds, history } = schedule;
  return {
    concurrency,
    deadlineSeconds,
    graceSeconds,
    exactlyOnDeadline,
    suspendedSlots,
    heldSlots,
    history,
  };
}

/** What would make room for the run, what carries it out included. */
function replaced({ decision }: Entry): readonly string[] {
  if (decision.state !== 'fire') return [];
  return decision.victims.map(({ key }) => `${key.kind} ${key.name}`);
}

/**
 * Why a schedule does what it does.
 * @param graceSeconds of the tick; an object that somebody else acts on has none (design.md 3.12)
 */
export function explain(entry: Entry, verdict: Verdict, now: Instant, graceSeconds: number): Explanation {
  const { schedule, runs, proved, decision } = entry;
  const timing = timingOf(entry.decision);
  const rules = explainRules(entry, verdict.code === 'observed' ? 0 : graceSeconds);
  const owed =
    timing === undefined ? undefined : owedSlots({ timing, schedule, runs, proved, verdict, now, rules });
  return {
    apiVersion: schedule.object.apiVersion,
    key: keyOf(schedule.object),
    now,
    suspended: schedule.suspended,
    timing: explainTiming(entry, timing),
    rules,
    retention: [],
    anchor: { at: schedule.pin?.at ?? schedule.anchor, from: schedule.anchorFrom },
    proved,
    lastRun: lastRun(runs),
    lastSuccess: lastSuccess(schedule.recordedSuccess, runs),
    failures: schedule.recordedFailures,
    ...openRuns(runs),
    owed,
    verdict,
    removed: [...replaced(entry), ...entry.removed.map(({ object }) => object.metadata.name)],
    events: [],
    previous:
      timing === undefined || entry.range !== undefined
        ? []
        : withAbsences(withRuns(lookBack(timing, now, SLOTS), runs), { schedule, runs, owed }),
    next: timing === undefined ? [] : forecastEntry(entry, timing, now, { count: SLOTS }),
    mayDiffer: verdict.code === 'observed' ? schedule.foretell(decision, now) : [],
  };
}
