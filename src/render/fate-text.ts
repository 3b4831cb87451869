import type { Explanation, Fate } from '#core/explanation.ts';
import type { Instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';
import { isUtc, localText, momentText, utcText } from '#render/moment-text.ts';
import { listed } from '#render/plural.ts';

function runNames({ runs = [] }: Fate): string {
  return listed(runs.map(escapeText));
}

function suspendedText({ rules }: Explanation): string {
  switch (rules.suspendedSlots) {
    case 'consumed':
      return 'it passed in a pause and is not made up for';
    case 'owed':
      return 'it is kept for the end of the pause';
    case 'none':
      return '';
  }
}

function shortMoment(at: Instant, { timing }: Explanation): string {
  return timing.zone === undefined || isUtc(timing.zone) ? utcText(at) : localText(at, timing.zone);
}

function expiredText({ wantedUntil }: Fate, explanation: Explanation): string {
  return wantedUntil === undefined ? '' : `it was wanted until ${shortMoment(wantedUntil, explanation)}`;
}

function heldText(fate: Fate, explanation: Explanation): string {
  const { detail = '' } = explanation.verdict;
  const by = fate.runs === undefined || fate.runs.length === 0 ? escapeText(detail) : `by ${runNames(fate)}`;
  switch (explanation.rules.heldSlots) {
    case 'consumed':
      return explanation.verdict.code === 'observed' ? `${by}, and skipped` : `${by}, and would be skipped`;
    case 'kept':
      return fate.wantedUntil === undefined
        ? by
        : `${by}; it is wanted until ${shortMoment(fate.wantedUntil, explanation)}`;
  }
}

/** The run of a slot may be there although nothing tells of it yet. */
function firedText(fate: Fate, { verdict, lastRun }: Explanation): string {
  if (verdict.code === 'observed') return `run ${runNames(fate)}`;
  const exists = lastRun !== undefined && fate.runs?.includes(lastRun.name) === true;
  return exists ? `its run ${runNames(fate)} exists` : `it would start run ${runNames(fate)}`;
}

/** What the word alone does not say. */
function because(fate: Fate, explanation: Explanation): string {
  switch (fate.code) {
    case 'fired':
      return firedText(fate, explanation);
    case 'ran':
      return `run ${runNames(fate)}`;
    case 'held':
      return heldText(fate, explanation);
    case 'expired':
      return expiredText(fate, explanation);
    case 'superseded':
      return fate.by === undefined ? '' : `by ${shortMoment(fate.by, explanation)}`;
    case 'suspended':
      return suspendedText(explanation);
    case 'conflict':
      return `the name ${runNames(fate)} is taken`;
    case 'empty':
      return 'there is nothing to start';
    case 'failed':
    case 'deferred':
      return 'it stays due for the next tick';
    case 'waiting':
    case 'invalid':
    case 'observed':
    case 'unreadable':
    case 'deleting':
      return '';
  }
}

/** `Sat 2026-11-28 04:00 +01:00 Europe/Berlin (03:00 UTC): superseded by Sun 2026-11-29 04:00 +01:00`. */
export function fateText(fate: Fate, explanation: Explanation): string {
  const why = because(fate, explanation);
  const word = explanation.verdict.code === 'observed' ? `foreseen as ${fate.code}` : fate.code;
  const joint = why.startsWith('by ') ? ' ' : ', ';
  return `${momentText(fate.slot, explanation.timing.zone)}: ${word}${why === '' ? '' : joint + why}`;
}
