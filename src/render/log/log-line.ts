import type { AppliedChangeDocument } from '#core/change/applied-document.ts';
import type { ObjectDocument } from '#core/change/change-document.ts';
import type { DiagnosticDocument } from '#core/change/diagnostic-document.ts';
import type { JsonObject } from '#core/object/object.ts';
import type { Phase } from '#core/tick-record.ts';
import { escapeJson } from '#render/escape-json.ts';

export const LEVELS = ['info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

/** What every line begins with. */
export interface LineHead {
  /** When it was written: RFC 3339 in UTC, with milliseconds. */
  readonly time: string;
  readonly level: Level;
  /** The whole of it as a sentence. */
  readonly msg: string;
}

type Counts = Readonly<Record<string, number>>;

/** The last line of a tick but for what pushing its figures met. What is not known is left out. */
export interface TickLine {
  readonly type: 'tick';
  readonly version: string;
  readonly now?: string;
  readonly exitCode: number;
  /** It came to its end; some reads or writes may have failed. */
  readonly completed: boolean;
  /** The server checked every write and stored none. */
  readonly dryRun?: true;
  readonly shard?: { readonly index: number; readonly count: number };
  /** As `toLagDocument` has it, and the seconds since the last completed tick. */
  readonly lag?: JsonObject;
  readonly durationMs: Readonly<Record<Phase | 'total', number>>;
  readonly schedules?: { readonly total: number; readonly verdicts: Counts };
  readonly orders?: { readonly total: number; readonly states: Counts };
  readonly changes?: {
    readonly total: number;
    /** By what came of them. */
    readonly outcomes: Counts;
    readonly verbs: Counts;
  };
  readonly requests?: {
    readonly total: number;
    readonly verbs: Counts;
    readonly answers: Counts;
    readonly retries: number;
    /** Answers of 429. */
    readonly throttled: number;
  };
  readonly diagnostics: { readonly error: number; readonly warning: number; readonly note: number };
}

/** One write, and what came of it. One of `schedule`, `order` and `policy` says for whom it was. */
export interface ChangeLine {
  readonly type: 'change';
  readonly schedule?: ObjectDocument;
  readonly order?: ObjectDocument;
  /** What decides how many runs are kept. */
  readonly policy?: ObjectDocument;
  /** Of the schedule, after the writes; on its status, and on what was made or told for the slot of the verdict. */
  readonly verdict?: string;
  /** Of the order, after the writes. */
  readonly state?: string;
  /** As the conditions and events of the kind spell it. */
  readonly reason?: string;
  /** Of the run or the event; on a status that of the verdict. */
  readonly slot?: string;
  /** By how much the slot of the verdict was late. */
  readonly lateSeconds?: number;
  readonly verb: AppliedChangeDocument['verb'];
  /** Why it was to be written. */
  readonly because: string;
  readonly object: ObjectDocument;
  readonly outcome: AppliedChangeDocument['state'];
  readonly message?: string;
}

export interface DiagnosticLine extends DiagnosticDocument {
  readonly type: 'diagnostic';
}

/** Anything else that is said. */
export interface MessageLine {
  readonly type: 'message';
}

export type LogLine<Kind> = Omit<LineHead, 'time'> & Kind;

export type AnyLine =
  | LogLine<TickLine>
  | LogLine<ChangeLine>
  | LogLine<DiagnosticLine>
  | LogLine<MessageLine>;

/** One line of JSON, with its line break: time, level and message first, and nothing that moves a terminal. */
export function lineText(time: string, { level, msg, ...rest }: AnyLine): string {
  return `${escapeJson(JSON.stringify({ time, level, msg, ...rest }))}\n`;
}
