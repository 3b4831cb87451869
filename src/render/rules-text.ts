import type { RulesExplanation, TimingExplanation } from '#core/explanation.ts';
import type { HistoryPool } from '#core/run/history.ts';
import { escapeText } from '#render/escape-text.ts';
import { isUtc } from '#render/moment-text.ts';
import { grouped } from '#render/plural.ts';
import { spanText } from '#render/span-text.ts';
import type { Fact } from '#render/verdict-text.ts';

function zoneText({ zoneName, zoneProblem, zoneOrigin }: TimingExplanation): string {
  const name = zoneProblem === undefined ? escapeText(zoneName) : `none: ${escapeText(zoneProblem)}`;
  switch (zoneOrigin.from) {
    case 'field':
      return `${name}, from ${zoneOrigin.path.join('.')}`;
    case 'prefix':
      return `${name}, from the prefix of the schedule`;
    case 'referent':
      return `${name}, ${escapeText(zoneOrigin.words)}`;
    case 'default':
      return `${name}, since the schedule names none`;
  }
}

function clocksText({ dst }: TimingExplanation): string {
  switch (dst) {
    case 'clean':
      return 'a time that a clock change leaves out has no slot, a time that comes twice has two (clean)';
    case 'safe':
      return 'a fixed time that a clock change leaves out moves to the change, a time that comes twice has one slot (safe)';
  }
}

/** When the schedule has slots. */
export function timingFacts(timing: TimingExplanation): readonly Fact[] {
  const { zone } = timing;
  const moves = zone !== undefined && !isUtc(zone);
  return [
    { label: 'schedule', text: scheduleText(timing) },
    { label: 'zone', text: zoneText(timing) },
    ...(moves ? [{ label: 'clocks', text: clocksText(timing) }] : []),
    ...jitterFacts(timing),
  ];
}

function scheduleText({ expression, resolved, provisional, refused }: TimingExplanation): string {
  if (refused !== undefined) {
    const what = escapeText(refused.what);
    return expression === '' ? `none: ${what}` : `${escapeText(expression)}, not looked at: ${what}`;
  }
  if (resolved !== undefined)
    return `${escapeText(expression)}, which is ${escapeText(resolved)} for the uid of this object`;
  return `${escapeText(expression)}${provisional ? ', fixed once the object has a uid' : ''}`;
}

function jitterFacts({ jitterSeconds, jitterFrom }: TimingExplanation): readonly Fact[] {
  const from = jitterFrom === undefined ? '' : `, ${escapeText(jitterFrom)}`;
  if (jitterSeconds === 0 && jitterFrom === undefined) return [];
  const spread = jitterSeconds === 0 ? 'none' : `slots are spread over ${spanText(jitterSeconds)}`;
  return [{ label: 'jitter', text: `${spread}${from}` }];
}

function deadlineText({ deadlineSeconds, graceSeconds, exactlyOnDeadline }: RulesExplanation): string {
  if (deadlineSeconds === undefined) return 'none, the latest slot is wanted however late';
  if (deadlineSeconds < 0) return 'negative: every slot is skipped, whenever a tick comes';
  const span = spanText(deadlineSeconds);
  if (deadlineSeconds < graceSeconds) {
    return `${span}, shorter than the grace of ${spanText(graceSeconds)}, so the grace counts`;
  }
  const strict = graceSeconds === 0 && exactlyOnDeadline === 'expired';
  return strict
    ? `a slot is wanted while less than ${span} has passed`
    : `a slot is wanted until ${span} after it`;
}

function concurrencyText({ concurrency, heldSlots, deadlineSeconds }: RulesExplanation): string {
  switch (concurrency) {
    case 'Allow':
      return 'a slot starts its run beside unfinished ones (Allow)';
    case 'Replace':
      return 'a slot deletes unfinished runs and starts its own (Replace)';
    case 'Forbid': {
      if (heldSlots === 'consumed') return 'a slot that comes while a run is unfinished is skipped (Forbid)';
      const end = deadlineSeconds === undefined ? '' : ' or the deadline passes';
      return `a slot that comes while a run is unfinished is held until the run ends${end} (Forbid)`;
    }
  }
}

function pauseText({ suspendedSlots }: RulesExplanation): string {
  switch (suspendedSlots) {
    case 'consumed':
      return 'slots that pass while suspended are not made up for';
    case 'owed':
      return 'of the slots that pass while suspended the latest is owed afterwards, within its deadline';
    case 'none':
      return 'nothing suspends it';
  }
}

function poolText({ phases, limit }: HistoryPool): string {
  return `the latest ${grouped(limit)} that ${phases.join(' or ')}`;
}

function historyText({ history }: RulesExplanation): string {
  if (history.length === 0) return 'finished runs are kept';
  return `keeps ${history.map(poolText).join(' and ')}`;
}

/** What holds for late, simultaneous, paused and finished runs. */
export function ruleFacts(rules: RulesExplanation): readonly Fact[] {
  return [
    { label: 'deadline', text: deadlineText(rules) },
    { label: 'concurrency', text: concurrencyText(rules) },
    { label: 'pauses', text: pauseText(rules) },
    { label: 'history', text: historyText(rules) },
  ];
}
