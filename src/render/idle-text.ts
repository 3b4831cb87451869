import type { ScheduleChanges } from '#core/change/change-set.ts';
import type { Verdict, VerdictCode } from '#core/change/verdict.ts';
import { escapeText } from '#render/escape-text.ts';
import { maskedText } from '#render/masked-text.ts';
import { momentText } from '#render/moment-text.ts';
import { objectText } from '#render/object-text.ts';
import { grouped, plural } from '#render/plural.ts';
import { verdictCounts } from '#render/summary-text.ts';
import type { TextOptions } from '#render/text-options.ts';
import { hasNext, nextOf, nextText, toneOf, type VerdictView } from '#render/verdict-text.ts';

export interface IdleSchedule {
  readonly schedule: ScheduleChanges;
  readonly view: VerdictView;
}

const WIDEST_NAME = 48;

/** Nothing to write and nothing to look into. */
export function isIdle({ verdict, changes }: ScheduleChanges): boolean {
  if (changes.length > 0) return false;
  switch (verdict.code) {
    case 'waiting':
    case 'suspended':
    case 'deleting':
    case 'fired':
    case 'empty':
      return true;
    case 'observed':
      return verdict.foreseen === undefined || isIdleCode(verdict.foreseen);
    case 'held':
    case 'expired':
    case 'invalid':
    case 'unreadable':
    case 'conflict':
    case 'failed':
    case 'deferred':
      return false;
  }
}

/** Nothing to write; that a slot is held or has expired was told when it came to that. */
export function isQuiet(schedule: ScheduleChanges): boolean {
  const { verdict, changes } = schedule;
  return (
    isIdle(schedule) || (changes.length === 0 && (verdict.code === 'held' || verdict.code === 'expired'))
  );
}

function isIdleCode({ code }: Verdict): boolean {
  return code === 'waiting' || code === 'suspended' || code === 'deleting';
}

function idleDetail(verdict: Verdict, view: VerdictView): string {
  const parts: string[] = [];
  if (verdict.foreseen !== undefined)
    parts.push(`${escapeText(verdict.actor ?? 'somebody else')} acts on it`);
  if (verdict.foreseen !== undefined && verdict.foreseen.code !== 'waiting')
    parts.push(verdict.foreseen.code);
  if (verdict.code === 'suspended' && verdict.slot !== undefined)
    parts.push(`due since ${momentText(verdict.slot, view.zone)}`);
  if (verdict.detail !== undefined) parts.push(maskedText(verdict.detail));
  if (hasNext(verdict.code)) parts.push(`next ${nextText(verdict, view)}`);
  return parts.join('; ');
}

function soonest(idle: readonly IdleSchedule[]): IdleSchedule | undefined {
  const at = ({ schedule }: IdleSchedule): number => nextOf(schedule.verdict) ?? Number.POSITIVE_INFINITY;
  const first = idle.reduce<IdleSchedule | undefined>(
    (best, one) => (best === undefined || at(one) < at(best) ? one : best),
    undefined,
  );
  return first === undefined || at(first) === Number.POSITIVE_INFINITY ? undefined : first;
}

/** Of those that are acted on, if any has a next slot: that somebody else's tick comes first is no news of ours. */
function nearest(idle: readonly IdleSchedule[]): IdleSchedule | undefined {
  return soonest(idle.filter(({ schedule }) => schedule.verdict.code !== 'observed')) ?? soonest(idle);
}

/** Whether a slot, or the schedule itself, came to nothing: such a one is named and not only counted. */
function isAmiss(code: VerdictCode): boolean {
  return ['warning', 'bad'].includes(toneOf(code));
}

const MOST_NAMED = 5;

function amissText({ schedule: { key, verdict }, view }: IdleSchedule): string {
  const slot = verdict.slot === undefined ? '' : `, slot ${momentText(verdict.slot, view.zone)}`;
  return `${objectText(key)}: ${verdict.code}${slot}`;
}

/** `Not run: CronJob a/b: held, slot …; CronJob a/c: expired, slot …; and 3 more.` */
function amissLine(idle: readonly IdleSchedule[]): readonly string[] {
  const amiss = idle.filter(({ schedule }) => isAmiss(schedule.verdict.code));
  if (amiss.length === 0) return [];
  const more = amiss.length > MOST_NAMED ? [`and ${grouped(amiss.length - MOST_NAMED)} more`] : [];
  return [`Not run: ${[...amiss.slice(0, MOST_NAMED).map(amissText), ...more].join('; ')}.`];
}

/** The sums, what did not run, and which of them comes first; each in a line. */
export function idleCountLines(idle: readonly IdleSchedule[]): readonly string[] {
  const counts = verdictCounts(idle.map(({ schedule }) => schedule.verdict));
  const first = nearest(idle);
  const next =
    first === undefined
      ? []
      : [
          `The first to come is ${objectText(first.schedule.key)}: ${nextText(first.schedule.verdict, first.view)}.`,
        ];
  return [`Nothing to do for ${plural(idle.length, 'schedule')}: ${counts}.`, ...amissLine(idle), ...next];
}

/** Schedules with nothing to do: one line each, or the sums of more than `limit`. */
export function idleText(idle: readonly IdleSchedule[], limit: number, { palette }: TextOptions): string {
  if (idle.length > limit) return idleCountLines(idle).join('\n');
  const names = idle.map(({ schedule }) => objectText(schedule.key));
  const nameWidth = Math.min(WIDEST_NAME, Math.max(...names.map((name) => name.length)));
  const codeWidth = Math.max(...idle.map(({ schedule }) => schedule.verdict.code.length));
  const lines = idle.map(({ schedule, view }, index) => {
    const { verdict } = schedule;
    const code = palette[toneOf(verdict.code)](verdict.code) + ' '.repeat(codeWidth - verdict.code.length);
    return `${code}  ${(names[index] ?? '').padEnd(nameWidth)}  ${idleDetail(verdict, view)}`.trimEnd();
  });
  return lines.join('\n');
}
