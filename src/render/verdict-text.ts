import type { Verdict, VerdictCode } from '#core/change/verdict.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Zone } from '#core/time/zone.ts';
import { escapeText } from '#render/escape-text.ts';
import { maskedText } from '#render/masked-text.ts';
import { momentText } from '#render/moment-text.ts';
import type { Tone } from '#render/palette.ts';
import { listed, plural } from '#render/plural.ts';
import { distanceText, spanText } from '#render/span-text.ts';

/** What the times of a verdict are told against. */
export interface VerdictView {
  readonly now: Instant;
  /** The schedule's zone; undefined where nobody knows it: UTC alone. */
  readonly zone: Zone | undefined;
}

/** A line of a report: a short label and what it says, safe to print. */
export interface Fact {
  readonly label: string;
  readonly text: string;
}

export function toneOf(code: VerdictCode): Tone {
  switch (code) {
    case 'fired':
      return 'good';
    case 'empty':
    case 'held':
    case 'expired':
    case 'deferred':
      return 'warning';
    case 'invalid':
    case 'unreadable':
    case 'conflict':
    case 'failed':
      return 'bad';
    case 'observed':
      return 'accent';
    case 'suspended':
    case 'waiting':
    case 'deleting':
      return 'faint';
  }
}

/** The next slot with its distance; that there is none is said, too. */
export function nextText(verdict: Verdict, view: VerdictView): string {
  const next = nextOf(verdict);
  if (next === undefined) return 'none';
  const until = verdict.nextUntil ?? verdict.foreseen?.nextUntil;
  if (until !== undefined) {
    const range = `between ${momentText(next, view.zone)} and ${momentText(until, view.zone)}`;
    return `${range}, fixed once the object has a uid`;
  }
  return `${momentText(next, view.zone)}, ${distanceText(next - view.now)}`;
}

function slotFact({ slot, lateSeconds = 0, code }: Verdict, view: VerdictView): Fact[] {
  if (slot === undefined) return [];
  const late = lateSeconds === 0 ? 'on time' : `${spanText(lateSeconds)} late`;
  const beyond = code === 'expired' ? ', beyond its deadline' : '';
  return [{ label: 'slot', text: `${momentText(slot, view.zone)}, ${late}${beyond}` }];
}

function supersededFact({ superseded }: Verdict, view: VerdictView): Fact[] {
  if (superseded === undefined) return [];
  const oldest = superseded.count === 1 ? 'due' : 'the oldest due';
  const text = `${plural(superseded.count, 'older slot')}, ${oldest} ${momentText(superseded.oldest, view.zone)}`;
  return [{ label: 'supersedes', text }];
}

function expiredFact({ expired }: Verdict, view: VerdictView): Fact[] {
  if (expired === undefined) return [];
  const oldest = expired.count === 1 ? 'due' : 'the oldest due';
  const text = `${plural(expired.count, 'older slot')} beyond the deadline, ${oldest} ${momentText(expired.oldest, view.zone)}`;
  return [{ label: 'expired', text }];
}

/** What the runs of a verdict are to it. */
function runsLabel(code: VerdictCode): string {
  switch (code) {
    case 'held':
      return 'held by';
    case 'conflict':
      return 'name taken';
    case 'fired':
    case 'empty':
    case 'expired':
    case 'suspended':
    case 'waiting':
    case 'invalid':
    case 'observed':
    case 'unreadable':
    case 'failed':
    case 'deferred':
    case 'deleting':
      return 'run';
  }
}

function runsFact({ code, runs = [] }: Verdict): Fact[] {
  return runs.length === 0 ? [] : [{ label: runsLabel(code), text: listed(runs.map(escapeText)) }];
}

function foreseenFacts({ actor, foreseen }: Verdict, view: VerdictView): Fact[] {
  if (foreseen === undefined) return [];
  const who = `${escapeText(actor ?? 'somebody else')}; nothing is written here`;
  return [
    { label: 'acted on by', text: who },
    { label: 'foreseen', text: foreseen.code },
    ...verdictFacts(foreseen, view),
  ];
}

/** Everything that a verdict says about its slot, without the next one. */
export function verdictFacts(verdict: Verdict, view: VerdictView): readonly Fact[] {
  const { detail } = verdict;
  return [
    ...slotFact(verdict, view),
    ...supersededFact(verdict, view),
    ...expiredFact(verdict, view),
    ...runsFact(verdict),
    ...(detail === undefined ? [] : [{ label: 'because', text: maskedText(detail) }]),
    ...foreseenFacts(verdict, view),
  ];
}

/** Whether a schedule can have a next slot at all. */
export function hasNext(code: VerdictCode): boolean {
  switch (code) {
    case 'invalid':
    case 'unreadable':
    case 'deleting':
      return false;
    case 'fired':
    case 'empty':
    case 'held':
    case 'expired':
    case 'suspended':
    case 'waiting':
    case 'observed':
    case 'conflict':
    case 'failed':
    case 'deferred':
      return true;
  }
}

/** The next slot of a verdict or of the one foreseen. */
export function nextOf(verdict: Verdict): Instant | undefined {
  return verdict.next ?? verdict.foreseen?.next;
}
