import type { Verdict } from '#core/change/verdict.ts';
import type { Explanation } from '#core/explanation.ts';
import { wantedUntil } from '#core/slot/decide-slot.ts';
import { escapeText } from '#render/escape-text.ts';
import { momentText } from '#render/moment-text.ts';
import { listed } from '#render/plural.ts';
import { distanceText, spanText } from '#render/span-text.ts';
import type { Fact } from '#render/verdict-text.ts';

function heldUntil(verdict: Verdict, { rules, timing }: Explanation): string {
  const { runs = [], slot } = verdict;
  const what = runs.length === 0 ? 'what it points to can be used' : `${listed(runs.map(escapeText))} ends`;
  const until = slot === undefined ? undefined : wantedUntil(slot, rules);
  const deadline = until === undefined ? '' : `; skipped for good after ${momentText(until, timing.zone)}`;
  return `fires once ${what}${deadline}`;
}

function resumed({ rules }: Explanation): string | undefined {
  switch (rules.suspendedSlots) {
    case 'consumed':
      return 'resuming it: the next slot after that fires, nothing of the pause is made up for';
    case 'owed':
      return 'resuming it: the latest slot of the pause fires at once, if its deadline has not passed';
    case 'none':
      return undefined;
  }
}

function stop({ rules }: Explanation): string {
  return rules.suspendedSlots === 'none' ? 'an edit of the schedule' : 'suspending it';
}

/** What would have to happen for another verdict; undefined where nothing stands in the way. */
function change(verdict: Verdict, explanation: Explanation): string | undefined {
  switch (verdict.code) {
    case 'waiting':
      return verdict.next === undefined
        ? 'an expression that names a further instant'
        : `its next slot, ${distanceText(verdict.next - explanation.now)}; or an edit of the schedule`;
    case 'held':
      return explanation.rules.heldSlots === 'consumed' ? undefined : heldUntil(verdict, explanation);
    case 'expired': {
      const late = spanText(verdict.lateSeconds ?? 0);
      return `a deadline of more than ${late}; the next slot is not affected`;
    }
    case 'suspended':
      return explanation.suspended ? resumed(explanation) : undefined;
    case 'empty':
      return 'a target that can be started, at the next slot';
    case 'invalid':
      return escapeText(explanation.timing.refused?.fix ?? 'an expression and a zone that can be used');
    case 'unreadable':
      return 'lists and objects that can be read';
    case 'conflict':
      return `deleting or renaming ${listed((verdict.runs ?? []).map(escapeText))}`;
    case 'failed':
    case 'deferred':
      return 'the next tick tries again';
    case 'fired': {
      // A run that exists already is past changing.
      if (explanation.lastRun !== undefined && verdict.runs?.includes(explanation.lastRun.name))
        return undefined;
      const held = explanation.rules.concurrency === 'Forbid' ? ', or an unfinished run' : '';
      return `${stop(explanation)} before the tick${held}`;
    }
    case 'observed':
    case 'deleting':
      return undefined;
  }
}

/** What would change the verdict. */
export function wayOut(explanation: Explanation): readonly Fact[] {
  const text = change(explanation.verdict, explanation);
  return text === undefined ? [] : [{ label: 'would change', text }];
}
