import type { FieldDiff } from '#core/change/diff.ts';
import type {
  Comparison,
  ReferentComparison,
  ScheduleComparison,
  Tripped,
} from '#core/comparison/comparison.ts';
import { stopsFiring } from '#core/comparison/guard.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { valueText } from '#render/diff-text.ts';
import { escapeMarkup } from '#render/escape-markup.ts';
import { codeSpan, diffBlock, htmlCode } from '#render/markdown/code.ts';
import { commentMarker } from '#render/markdown/comment-marker.ts';
import { details } from '#render/markdown/details.ts';
import { escapeMarkdown } from '#render/markdown/escape-markdown.ts';
import {
  type FitOptions,
  type FittedMarkdown,
  fitMarkdown,
  type MarkdownSection,
} from '#render/markdown/fit-markdown.ts';
import { grouped, plural } from '#render/plural.ts';
import {
  type EffectLine,
  effectLines,
  pathText,
  problemText,
  referentLines,
  sentenceOf,
  shownFields,
} from './effect-lines.ts';
import { basisText, guardText, isUnchanged, sidesText, totalsLines } from './totals-lines.ts';

export interface CommentOptions extends FitOptions {
  /** Tells the comments of several comparisons of one pull request apart. */
  readonly id: string;
}

/** The most dangerous first: what cannot be taken back, then what surprises, then the rest. */
const RANKS = {
  cancels: 0,
  invalid: 1,
  'fires-now': 2,
  'never-fires': 3,
  stops: 4,
  removed: 4,
  prunes: 5,
  firings: 6,
  other: 7,
  referent: 8,
} as const;

const MOST_NAMED = 100;
/** Of the names in the first lines. */
const MOST_IN_HEAD = 16_000;

type Compared = ScheduleComparison | ReferentComparison;

function isSchedule(one: Compared): one is ScheduleComparison {
  return 'merge' in one;
}

function linesOf(one: Compared): readonly EffectLine[] {
  return isSchedule(one) ? effectLines(one) : referentLines(one);
}

function rankOf(one: Compared, lines: readonly EffectLine[]): number {
  if (!isSchedule(one))
    return one.broken.some(({ severity }) => severity === 'error') ? RANKS.invalid : RANKS.referent;
  const guards = lines.flatMap(({ guard }) =>
    guard === undefined || guard === 'peak' ? [] : [RANKS[guard]],
  );
  const { added, removed, moved } = one.firings;
  const rest = added.length + removed.length + moved.length > 0 ? RANKS.firings : RANKS.other;
  return Math.min(...guards, one.change === 'removed' ? RANKS.removed : rest);
}

function nameOf({ kind, namespace, name }: ObjectKey): string {
  return `${escapeMarkdown(kind)} ${codeSpan(namespace === '' ? name : `${namespace}/${name}`)}`;
}

function placeText({ place }: Compared): string {
  return place === undefined ? '' : ` (${codeSpan(`${place.file}:${place.line}`)})`;
}

function sentence(line: EffectLine): string {
  return sentenceOf(line, escapeMarkdown, ({ kind, name }) => `${escapeMarkdown(kind)} ${codeSpan(name)}`);
}

function bullet(line: EffectLine): string {
  return line.label === '' ? `- ${sentence(line)}` : `- **${line.label}**: ${sentence(line)}`;
}

/** What is added and removed, as a difference is read. */
function diffLines({ path, before, after }: FieldDiff): readonly string[] {
  const name = pathText(path);
  return [
    ...(before === undefined ? [] : [`- ${name}: ${valueText(before)}`]),
    ...(after === undefined ? [] : [`+ ${name}: ${valueText(after)}`]),
  ];
}

function fieldsText(one: Compared): string {
  if (one.fields.length === 0) return '';
  const { shown, rest } = shownFields(one.fields);
  const more = rest > 0 ? [`  and ${plural(rest, 'more field')}`] : [];
  const block = diffBlock([...shown.flatMap(diffLines), ...more].join('\n'));
  const { kind, name } = one.key;
  return `\n${details(`${plural(one.fields.length, 'field')} of ${escapeMarkup(kind)} ${htmlCode(name)}`, block)}`;
}

function sectionOf(one: Compared): MarkdownSection {
  const lines = linesOf(one);
  const shown = lines.map(bullet).join('\n');
  const [first] = lines;
  return {
    rank: rankOf(one, lines),
    title: `${one.change} ${nameOf(one.key)}${placeText(one)}`,
    full: `${shown === '' ? '' : `${shown}\n`}${fieldsText(one)}`,
    brief: first === undefined ? '' : `${first.label} ${sentence(first)}`,
  };
}

/** Names of everything that a reviewer must not miss, whatever is cut further down. */
function dangerLines(comparison: Comparison, tripped: readonly Tripped[]): readonly string[] {
  const { schedules, referents } = comparison;
  const of = (isMeant: (one: ScheduleComparison) => boolean): readonly ObjectKey[] =>
    schedules.filter(isMeant).map(({ key }) => key);
  const isBroken = ({ broken }: Compared): boolean => broken.some(({ severity }) => severity === 'error');
  const groups: readonly (readonly [string, readonly ObjectKey[]])[] = [
    ['Runs cancelled', of(({ merge }) => merge.cancels.length > 0)],
    ['Would be invalid', [...schedules, ...referents].filter(isBroken).map(({ key }) => key)],
    ['Fires at the moment of merging', of(({ merge }) => merge.firesNow !== undefined)],
    ['Never fires', of(({ neverFires }) => neverFires)],
    ['Removed', of(({ change }) => change === 'removed')],
    ['No longer fires', of((one) => stopsFiring(one) && one.change !== 'removed' && !one.neverFires)],
    ['Runs pruned', of(({ merge }) => merge.prunes.length > 0)],
  ];
  const lines: string[] = [];
  let room = MOST_IN_HEAD;
  for (const [title, keys] of groups) {
    if (keys.length === 0) continue;
    const named: string[] = [];
    for (const key of keys.slice(0, MOST_NAMED)) {
      const name = nameOf(key);
      if (name.length > room) break;
      room -= name.length;
      named.push(name);
    }
    const rest = keys.length - named.length;
    lines.push(
      `- **${title}** (${grouped(keys.length)}): ${named.join(', ')}${rest > 0 ? ` and ${grouped(rest)} more` : ''}`,
    );
  }
  const guards = tripped.map((one) => `- **Guard tripped**: ${guardText(one, nameOf)}`);
  return [...guards, ...lines];
}

function headOf(comparison: Comparison, tripped: readonly Tripped[]): string {
  const basis = basisText(comparison);
  const loose = comparison.broken.map((one) => {
    const { severity, place } = one;
    const where = place === undefined ? '' : ` in ${codeSpan(`${place.file}:${place.line}`)}`;
    return `- **${severity === 'error' ? 'Broken' : 'Warning'}**${where}: ${escapeMarkdown(problemText(one))}`;
  });
  return [
    '## What this change does to the schedules',
    '',
    escapeMarkdown(`${sidesText(comparison)}.`),
    ...(basis === undefined ? [] : ['', escapeMarkdown(basis)]),
    '',
    ...totalsLines(comparison).map((line) => `- ${escapeMarkdown(line)}`),
    ...loose.slice(0, MOST_NAMED),
    ...dangerLines(comparison, tripped),
  ].join('\n');
}

/**
 * A comment for a pull request: never over the limit of the host, the most dangerous first. Where nothing changed it
 * says just that, without a time, so that the comment stays as it is.
 */
export function comparisonMarkdown(
  comparison: Comparison,
  tripped: readonly Tripped[],
  options: CommentOptions,
): FittedMarkdown {
  const marker = commentMarker('diff', options.id);
  if (isUnchanged(comparison)) {
    const head = `No change to the firings of ${plural(comparison.totals.unchanged, 'schedule')}.`;
    return fitMarkdown({ marker, head, sections: [] }, options);
  }
  const sections = [...comparison.schedules, ...comparison.referents].map(sectionOf);
  return fitMarkdown({ marker, head: headOf(comparison, tripped), sections }, options);
}
