import type { Explanation, HandMadeRun, LastRun, ToldRun } from '#core/explanation.ts';
import type { Instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';
import { momentText } from '#render/moment-text.ts';
import { listed, plural } from '#render/plural.ts';
import { distanceText, spanText } from '#render/span-text.ts';
import type { Fact } from '#render/verdict-text.ts';

const MOST_BY_HAND = 5;

/** As its own API spells it. */
export function runPhaseText({ phase, phaseText, terminating }: ToldRun): string {
  return `${phaseText === '' ? phase : escapeText(phaseText)}${terminating ? ', being deleted' : ''}`;
}

/** Its slot is still to come, and its end may lie before it, where `--now` is a time of the past. */
function takenText({ slot, finishedAt }: LastRun, now: Instant): string {
  if (finishedAt !== undefined) {
    const taken = finishedAt - slot;
    return `ended ${spanText(taken)} ${taken < 0 ? 'before' : 'after'} its slot`;
  }
  if (slot === now) return 'its slot is now';
  return `its slot ${slot > now ? 'comes' : 'was'} ${distanceText(slot - now)}`;
}

function lastRunText(run: LastRun, { now, timing }: Explanation): string {
  const slot = momentText(run.slot, timing.zone);
  return `${escapeText(run.name)}, ${runPhaseText(run)}, slot ${slot}, ${takenText(run, now)}`;
}

function handMadeText({ finishedAt, madeAt, ...run }: HandMadeRun, { now, timing }: Explanation): string {
  const what = `${escapeText(run.name)}, ${runPhaseText(run)}`;
  if (madeAt === undefined) return what;
  const taken = finishedAt === undefined ? undefined : finishedAt - madeAt;
  const end =
    taken === undefined || taken < 0 ? distanceText(madeAt - now) : `ended ${spanText(taken)} later`;
  return `${what}, made ${momentText(madeAt, timing.zone)}, ${end}`;
}

function handMadeFacts(explanation: Explanation): readonly Fact[] {
  const { byHand } = explanation;
  const older = byHand.length - MOST_BY_HAND;
  return [
    ...byHand.slice(0, MOST_BY_HAND).map((run, index) => ({
      label: index === 0 ? 'by hand' : '',
      text: handMadeText(run, explanation),
    })),
    ...(older > 0 ? [{ label: '', text: `and ${plural(older, 'older one')}` }] : []),
  ];
}

function lastRunFact(explanation: Explanation): Fact {
  const { lastRun, byHand } = explanation;
  const none = byHand.length === 0 ? 'none is left' : 'none of a slot is left';
  return { label: 'last run', text: lastRun === undefined ? none : lastRunText(lastRun, explanation) };
}

function unfinishedFacts({ active, byHand }: Explanation): readonly Fact[] {
  if (active.length === 0) return [];
  const made = new Set(byHand.map(({ name }) => name));
  const names = active.map((name) => `${escapeText(name)}${made.has(name) ? ' (made by hand)' : ''}`);
  return [{ label: 'unfinished', text: listed(names) }];
}

function anchorFact({ at, from }: Explanation['anchor'], { timing }: Explanation): Fact {
  const moment = momentText(at, timing.zone);
  switch (from) {
    case 'status':
      return { label: 'anchor', text: `${moment}, the last slot that was settled` };
    case 'creation':
      return { label: 'anchor', text: `${moment}, its creation, nothing was settled yet` };
    case 'assumed':
      return { label: 'anchor', text: `${moment}, since nobody knows when it was created` };
    case 'pin':
      return { label: 'pinned', text: `${moment}, the slot that is owed next` };
    case 'now':
      return { label: 'pinned', text: 'nothing that still holds: the next slot is pinned by the next tick' };
  }
}

/** What is settled, which runs are left, and which are at work. */
export function soFarFacts(explanation: Explanation): readonly Fact[] {
  const { anchor, proved, lastSuccess, timing, now } = explanation;
  return [
    anchorFact(anchor, explanation),
    ...(proved === undefined
      ? []
      : [
          {
            label: 'proved',
            text: `${momentText(proved, timing.zone)}, its run exists although no status tells of it`,
          },
        ]),
    lastRunFact(explanation),
    ...handMadeFacts(explanation),
    {
      label: 'last success',
      text:
        lastSuccess === undefined
          ? 'none is known'
          : `${momentText(lastSuccess, timing.zone)}, ${distanceText(lastSuccess - now)}`,
    },
    ...(explanation.failures === undefined || explanation.failures === 0
      ? []
      : [{ label: 'failures', text: `${plural(explanation.failures, 'slot')} in a row` }]),
    ...unfinishedFacts(explanation),
  ];
}
