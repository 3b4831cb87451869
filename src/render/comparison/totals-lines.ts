import type { Comparison, StatusBasis, Tripped } from '#core/comparison/comparison.ts';
import type { Peak, PeakChange } from '#core/comparison/peaks.ts';
import { escapeText } from '#render/escape-text.ts';
import { utcText } from '#render/moment-text.ts';
import { objectText } from '#render/object-text.ts';
import { grouped, listed, plural } from '#render/plural.ts';
import { spanText } from '#render/span-text.ts';
import { daysText } from './effect-lines.ts';

const MOST_LANES = 5;

/** Nothing differs that anybody would look at. */
export function isUnchanged({ schedules, referents, broken }: Comparison): boolean {
  return schedules.length + referents.length + broken.length === 0;
}

export function sidesText({ base, head, now, until }: Comparison): string {
  return `${escapeText(base)} → ${escapeText(head)}, as of ${utcText(now)}, over ${spanText(until - now)}`;
}

const TAKEN = 'is taken to have run all its slots, and while suspended to have missed the last one';
const BASES: Readonly<Record<StatusBasis, string | undefined>> = {
  recorded: undefined,
  declared: `What ran so far is known as far as the manifests spell it out: a schedule of the base without a status ${TAKEN}. What a merge cancels and prunes is told of the runs among the manifests alone.`,
  assumed: `No statuses were given: every schedule of the base ${TAKEN}. What a merge cancels and prunes is not known.`,
};

export function basisText({ basis }: Comparison): string | undefined {
  return BASES[basis];
}

export function unchangedText(comparison: Comparison): string {
  const { unchanged } = comparison.totals;
  return `No change to the firings of ${plural(unchanged, 'schedule')}: ${sidesText(comparison)}.`;
}

function countsText({ totals, referents }: Comparison): string {
  const { added, removed, changed, affected, unchanged } = totals;
  const parts = [
    ['changed', changed],
    ['added', added],
    ['removed', removed],
    ['affected', affected],
    ['unchanged', unchanged],
  ] as const;
  const told = parts.filter(([, count]) => count > 0).map(([word, count]) => `${grouped(count)} ${word}`);
  const others = referents.length === 0 ? '' : `; ${plural(referents.length, 'other object')}`;
  return `Schedules: ${told.length === 0 ? 'none' : told.join(', ')}${others}.`;
}

function startsText({ totals, days }: Comparison): string {
  const { firingsBefore, firingsAfter, firingsAdded, firingsRemoved, firingsMoved } = totals;
  const changes = [
    ['added', firingsAdded],
    ['removed', firingsRemoved],
    ['moved', firingsMoved],
  ] as const;
  const told = changes.filter(([, count]) => count > 0).map(([word, count]) => `${grouped(count)} ${word}`);
  const perDay = days.length === 0 ? '' : ` By day: ${daysText(days)}.`.replace('….', '…');
  const now = totals.firesNow === 0 ? '' : `, and ${grouped(totals.firesNow)} at the moment of merging`;
  const changed = told.length === 0 ? '' : ` (${told.join(', ')})`;
  return `Starts: ${grouped(firingsBefore)} → ${grouped(firingsAfter)}${changed}${now}.${perDay}`;
}

function peakText(peak: Peak | undefined): string {
  return peak === undefined ? 'none' : `${grouped(peak.starts)} at ${utcText(peak.at)}`;
}

function peakLine({ lane, before, after }: PeakChange): string {
  const where = lane === undefined ? '' : ` on ${objectText(lane)}`;
  const same = before?.starts === after?.starts;
  return `Most starts in one minute${where}: ${same ? peakText(after) : `${peakText(before)} → ${peakText(after)}`}.`;
}

function dangerText({ totals }: Comparison): string | undefined {
  const { firesNow, cancels, prunes, invalid, neverFires } = totals;
  const parts = [
    [firesNow, plural(firesNow, 'schedule fires now', 'schedules fire now')],
    [cancels, `${plural(cancels, 'run is', 'runs are')} cancelled`],
    [prunes, `${plural(prunes, 'run is', 'runs are')} pruned`],
    [invalid, `${plural(invalid, 'object')} would be invalid`],
    [neverFires, `${plural(neverFires, 'schedule')} would never fire`],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([, text]) => text);
  return told.length === 0 ? undefined : `At the moment of merging: ${listed(told, told.length)}.`;
}

export function guardText({ guard, schedules }: Tripped, nameOf = objectText): string {
  const name = guard.name === 'peak' ? `peak>${guard.above}` : guard.name;
  const whose = schedules.length === 0 ? '' : `: ${listed(schedules.map((key) => nameOf(key)))}`;
  return `${name}${whose}`;
}

/** The totals, one sentence a line, the dangerous one first. */
export function totalsLines(comparison: Comparison): readonly string[] {
  const danger = dangerText(comparison);
  const lanes = comparison.peaks.length - 1;
  return [
    ...(danger === undefined ? [] : [danger]),
    countsText(comparison),
    startsText(comparison),
    ...comparison.peaks.slice(0, MOST_LANES + 1).map(peakLine),
    ...(lanes > MOST_LANES
      ? [
          `The peaks of ${plural(lanes - MOST_LANES, 'more repository or cluster', 'more repositories and clusters')} differ.`,
        ]
      : []),
  ];
}
