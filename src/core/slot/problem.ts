import { formatDuration } from '#core/time/duration.ts';
import type { ZoneNameProblem } from '#core/time/zone-name.ts';
import type { FieldName } from './field.ts';

/** Why an expression, a zone or a window cannot be used. */
export interface TimingProblem {
  readonly code: 'InvalidSchedule' | 'UnknownTimeZone' | 'UnsupportedSchedule';
  readonly field?: FieldName | 'zone';
  /** The characters that are at fault. */
  readonly text?: string;
  readonly what: string;
  readonly why: string;
  readonly fix?: string;
}

/** Characters for a message: in back quotes, and cut where they are many. */
export function quote(text: string): string {
  return `\`${text.length > 60 ? `${text.slice(0, 57)}...` : text}\``;
}

export function tooLong(text: string, most: number): TimingProblem {
  return {
    code: 'InvalidSchedule',
    text: `${text.slice(0, 57)}...`,
    what: `the schedule has ${text.length} characters`,
    why: `at most ${most} are read`,
    fix: 'write ranges and steps instead of lists',
  };
}

export function unknownZone(name: string, problem: ZoneNameProblem): TimingProblem {
  return {
    code: 'UnknownTimeZone',
    field: 'zone',
    text: name,
    what: problem.what,
    fix: problem.fix ?? 'write a name such as Europe/Berlin, or UTC',
    why: 'zones are the names of the IANA list, in its letter case',
  };
}

export function noExtension(text: string): TimingProblem {
  return {
    code: 'UnsupportedSchedule',
    text,
    what: `the schedule ${quote(text)} has \`L\` or \`#\`, and nothing here can read them`,
    why: 'their parser is loaded on demand and was not handed in',
  };
}

export function wideWindow(seconds: number): TimingProblem {
  return {
    code: 'UnsupportedSchedule',
    text: formatDuration(seconds),
    what: `the jitter window of ${formatDuration(seconds)} spans more than a million slots`,
    why: 'a search looks at each slot that the window can move',
    fix: 'write a window of at most 24h',
  };
}
