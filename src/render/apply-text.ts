import type { AppliedChange, ApplyReport } from '#core/change/applied.ts';
import { countApplied } from '#core/change/applied-document.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { escapeText } from '#render/escape-text.ts';
import { maskedText } from '#render/masked-text.ts';
import { objectText } from '#render/object-text.ts';
import type { Tone } from '#render/palette.ts';
import { grouped, plural } from '#render/plural.ts';
import { labelled } from '#render/schedule-text.ts';
import type { TextOptions } from '#render/text-options.ts';
import { toneOf } from '#render/verdict-text.ts';
import { toneOfWork } from '#render/work-tone.ts';

/** The end of what is told of a dry run that a server took part in. */
export const NOTHING_STORED = 'This was a dry run: the server checked every write and stored none.\n';

export interface ApplyTextOptions extends TextOptions {
  /** Every change, not only what did not simply succeed. */
  readonly all?: boolean;
  /** A server checked the changes and stored none of them. */
  readonly dryRun?: boolean;
}

function toneOfState(state: AppliedChange['state']): Tone {
  switch (state) {
    case 'done':
      return 'good';
    case 'unnecessary':
      return 'faint';
    case 'failed':
      return 'bad';
    case 'skipped':
      return 'warning';
  }
}

function verbText({ change }: AppliedChange): string {
  switch (change.verb) {
    case 'create':
      return `create ${objectText(change.key)}`;
    case 'delete':
      return `delete ${objectText(change.key)}`;
    case 'annotate':
      return `annotate ${objectText(change.key)}`;
    case 'apply':
      return change.precondition === undefined ? `status of ${objectText(change.key)}` : 'status';
    case 'release':
      return `release ${objectText(change.key)}`;
    case 'event':
      return `event ${typeof change.object.reason === 'string' ? escapeText(change.object.reason) : ''}`;
  }
}

function wordOf(state: AppliedChange['state'], { dryRun = false }: ApplyTextOptions): string {
  switch (state) {
    case 'done':
      return dryRun ? 'accepted' : 'done';
    case 'unnecessary':
      return 'not needed';
    case 'failed':
    case 'skipped':
      return state;
  }
}

function changeLine(applied: AppliedChange, options: ApplyTextOptions): string {
  const { state, message } = applied;
  const why = message === undefined ? '' : `: ${maskedText(message)}`;
  return labelled(wordOf(state, options), verbText(applied) + why, options, toneOfState(state));
}

function isNoteworthy({ state, message }: AppliedChange): boolean {
  return state !== 'done' || message !== undefined;
}

interface Block {
  readonly word: string;
  readonly key: ObjectKey;
  readonly applied: readonly AppliedChange[];
}

function blockLines({ word, key, applied }: Block, options: ApplyTextOptions, all: boolean): string[] {
  const shown = all ? applied : applied.filter(isNoteworthy);
  if (shown.length === 0) return [];
  const head = `${word}  ${options.palette.strong(objectText(key))}`;
  return [[head, ...shown.map((one) => changeLine(one, options))].join('\n')];
}

function blocksOf({ schedules, retention, works }: ApplyReport, { palette }: TextOptions): readonly Block[] {
  return [
    ...schedules.map(({ verdict: { code }, schedule: { key }, applied }) => {
      return { word: palette[toneOf(code)](code), key, applied };
    }),
    ...works.map(({ state, work: { key }, applied }) => {
      return { word: palette[toneOfWork(state)](state), key, applied };
    }),
    ...retention.map(({ owner: { key }, applied }) => ({ word: palette.warning('prunes'), key, applied })),
  ];
}

function sum(report: ApplyReport, { dryRun = false }: ApplyTextOptions): string {
  const { done, unnecessary, failed, skipped } = countApplied(report);
  const parts = [`${plural(done, 'change')} ${dryRun ? 'accepted' : 'applied'}`];
  if (unnecessary > 0) parts.push(`${grouped(unnecessary)} not needed`);
  if (failed > 0) parts.push(`${grouped(failed)} failed`);
  if (skipped > 0) parts.push(`${grouped(skipped)} skipped`);
  const left = report.partial && !dryRun ? '; what is left stays due for the next tick' : '';
  return `${parts.join(', ')}${left}.`;
}

/** What came of a change set; one quiet line where there was nothing to do. Ends with a line break. */
export function applyText(report: ApplyReport, options: ApplyTextOptions): string {
  const all = blocksOf(report, options);
  if (all.length === 0) return 'Nothing to do.\n';
  const blocks = all.flatMap((one) => blockLines(one, options, options.all === true));
  return `${[...blocks, sum(report, options)].join('\n\n')}\n`;
}
