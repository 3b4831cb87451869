import type { Verdict } from '#core/change/verdict.ts';
import type { Absence, Explanation, PastSlot } from '#core/explanation.ts';
import type { ForecastSlot } from '#core/forecast.ts';
import { escapeText } from '#render/escape-text.ts';
import { fateText } from '#render/fate-text.ts';
import { clockText, momentText, utcText } from '#render/moment-text.ts';
import { objectText } from '#render/object-text.ts';
import { listed, plural } from '#render/plural.ts';
import { retentionFacts } from '#render/retention-text.ts';
import { ruleFacts, timingFacts } from '#render/rules-text.ts';
import { labelled } from '#render/schedule-text.ts';
import { runPhaseText, soFarFacts } from '#render/so-far-text.ts';
import { distanceText, spanText } from '#render/span-text.ts';
import type { TextOptions } from '#render/text-options.ts';
import { type Fact, toneOf, verdictFacts } from '#render/verdict-text.ts';
import { wayOut } from '#render/way-out-text.ts';

function section(title: string, facts: readonly Fact[], options: TextOptions): readonly string[] {
  if (facts.length === 0) return [];
  const lines = facts.map(({ label, text }) => labelled(label, text, options));
  return [[options.palette.strong(title), ...lines].join('\n')];
}

function owedFacts(explanation: Explanation): readonly Fact[] {
  const { owed, timing } = explanation;
  if (timing.zone === undefined) return [];
  if (owed === undefined) {
    const pinned = explanation.anchor.from === 'pin' || explanation.anchor.from === 'now';
    return [{ label: 'owed', text: pinned ? 'no slot is due yet' : 'no slot is due since the anchor' }];
  }
  const { count, oldest, latest, fates } = owed;
  const span =
    count === 1
      ? momentText(latest, timing.zone)
      : `${momentText(oldest, timing.zone)} to ${momentText(latest, timing.zone)}`;
  const older = count - fates.length;
  return [
    { label: 'owed', text: `${plural(count, 'slot')}: ${span}` },
    ...fates.map((fate) => ({ label: '', text: fateText(fate, explanation) })),
    ...(older > 0 ? [{ label: '', text: `and ${plural(older, 'older one')}` }] : []),
  ];
}

/** What the list of owed slots does not tell already. */
function withoutSlot({
  slot: _slot,
  superseded: _superseded,
  expired: _expired,
  runs: _runs,
  foreseen,
  ...rest
}: Verdict): Verdict {
  return foreseen === undefined ? rest : { ...rest, foreseen: withoutSlot(foreseen) };
}

function tickFacts(explanation: Explanation): readonly Fact[] {
  const { verdict, removed, now, timing, suspended } = explanation;
  const reason = verdict.reason === undefined ? '' : ` (${escapeText(verdict.reason)})`;
  return [
    ...(suspended ? [{ label: 'suspended', text: 'yes, nothing is started' }] : []),
    ...owedFacts(explanation),
    { label: 'verdict', text: `${verdict.code}${reason}` },
    ...verdictFacts(withoutSlot(verdict), { now, zone: timing.zone }),
    ...wayOut(explanation),
    ...(removed.length === 0 ? [] : [{ label: 'would delete', text: listed(removed.map(escapeText)) }]),
  ];
}

/** The hour of a slot that did not run is in its note. */
function eventFacts({ events }: Explanation): readonly Fact[] {
  return events.map(({ at, type, reason, note }) => ({
    label: '',
    text: escapeText(`${at.replace(/\.\d+Z$/, 'Z')} ${type} ${reason}: ${note}`),
  }));
}

function slotText({ slot, base, until, note }: ForecastSlot, { timing }: Explanation): string {
  const parts = [momentText(slot, timing.zone)];
  if (until !== undefined) parts[0] = `between ${parts[0]} and ${momentText(until, timing.zone)}`;
  if (base !== undefined)
    parts.push(`base ${clockText(base, timing.zone)} and ${spanText(slot - base)} of jitter`);
  if (note !== undefined) parts.push(escapeText(note));
  return parts.join('; ');
}

function slotFacts(slots: readonly ForecastSlot[], explanation: Explanation): readonly Fact[] {
  return slots.map((slot) => ({
    label: distanceText(slot.slot - explanation.now),
    text: slotText(slot, explanation),
  }));
}

/** Why a slot of the past has no run. */
function absenceText(absence: Absence, { verdict, timing }: Explanation): string {
  switch (absence.code) {
    case 'owed': {
      const by = absence.by === undefined ? '' : ` by ${momentText(absence.by, timing.zone)}`;
      if (verdict.foreseen !== undefined) return `no run yet; foreseen as ${absence.fate}${by}`;
      return absence.fate === 'fired'
        ? 'no run yet; a tick would start it'
        : `no run; a tick would tell: ${absence.fate}${by}`;
    }
    case 'told':
      return escapeText(`no run is left; ${absence.reason}: ${absence.note}`);
    case 'beforeCreation':
      return 'no run: it lies before the creation of the schedule';
    case 'gap':
      return 'no run is there, though one of an older slot is; no event tells why';
    case 'unknown':
      return 'no run is there any more';
  }
}

function pastText(past: PastSlot, explanation: Explanation): string {
  const { runs } = past;
  const told = listed(runs.map((run) => `${escapeText(run.name)} (${runPhaseText(run)})`));
  const text = slotText(past, explanation);
  if (runs.length > 0) return `${text}; ${runs.length === 1 ? 'run' : 'runs'} ${told}`;
  return past.absence === undefined ? text : `${text}; ${absenceText(past.absence, explanation)}`;
}

function previousFacts(explanation: Explanation): readonly Fact[] {
  return explanation.previous.map((past) => ({
    label: distanceText(past.slot - explanation.now),
    text: pastText(past, explanation),
  }));
}

function nextFacts(explanation: Explanation): readonly Fact[] {
  const { next } = explanation;
  return next.length === 0 ? [{ label: 'next', text: 'none' }] : slotFacts(next, explanation);
}

function differences({ mayDiffer }: Explanation): readonly Fact[] {
  return mayDiffer.map(({ what, why }) => ({
    label: '',
    text: escapeText(why === undefined ? what : `${what}; ${why}`),
  }));
}

/** Why one schedule does what it does, for a person. Ends with a line break. */
export function explainText(explanation: Explanation, options: TextOptions): string {
  const { key, now, verdict, timing, rules } = explanation;
  const { palette } = options;
  const parts = [
    // A verdict is a word of the past, and nothing was done.
    `${palette.strong(objectText(key))}, if a tick came now: ${palette[toneOf(verdict.code)](verdict.code)}`,
    ...section('When', timingFacts(timing), options),
    ...section('Rules', [...ruleFacts(rules), ...retentionFacts(explanation.retention)], options),
    ...section('So far', soFarFacts(explanation), options),
    ...section('Latest events', eventFacts(explanation), options),
    ...section(`What a tick would do now, ${utcText(now)}`, tickFacts(explanation), options),
    ...section('Previous slots', previousFacts(explanation), options),
    ...section('Next slots', nextFacts(explanation), options),
    ...section('What may come out differently', differences(explanation), options),
  ];
  return `${parts.join('\n\n')}\n`;
}
