import { parseGoDuration } from '#core/time/duration.ts';
import type { Instant } from '#core/time/instant.ts';
import { openedZone, openZone, type Zone } from '#core/time/zone.ts';
import { zoneNameProblem } from '#core/time/zone-name.ts';
import { trimBlanks, words } from './blanks.ts';
import { DIALECTS, type Dialect, type DialectName, type DstRule } from './dialect.ts';
import { type ExtendedDays, needsExtendedDays } from './extended-days.ts';
import { takeExtendedDays } from './extended-elements.ts';
import { WEEKDAYS_TO_6, WEEKDAYS_TO_7 } from './field.ts';
import { type CronFields, NO_FIELDS } from './fields.ts';
import { EVERY, macroFields } from './macro.ts';
import { neverMatches, parseFields } from './parse.ts';
import { splitPrefix } from './prefix.ts';
import { noExtension, type TimingProblem, tooLong, unknownZone, wideWindow } from './problem.ts';
import { refusalOf } from './refusal.ts';
import { type Spread, spreadOf, substituteH } from './spread.ts';
import { DAY_MINUTES, timesBefore } from './times.ts';

export type { TimingProblem } from './problem.ts';

export interface TimingInput {
  readonly expression: string;
  readonly dialect: DialectName;
  /** The zone of an expression that has no prefix of its own. */
  readonly zone: string;
  /** Instead of the dialect's own rule. */
  readonly dst?: DstRule;
  /** The uid of the schedule, for `H` and jitter. */
  readonly seed?: string;
  /** The jitter window in whole seconds; 0 or absent is none. */
  readonly jitterSeconds?: number;
  /** What `@every` counts from; the epoch if absent. */
  readonly every?: Instant;
  /** Dialect kubernetes: a zone prefix is used as it stands, because the API server let it in long ago. */
  readonly allowStoredPrefix?: boolean;
  /** Base slots up to here are settled: their slots are left out, wherever jitter puts them. */
  readonly basesAfter?: Instant;
  /** The parser of `L`, `nL` and `n#k`, needed where `needsExtendedDays` says so. */
  readonly extend?: ExtendedDays;
}

/** Worth telling the author, though nothing is wrong. */
export interface TimingNote {
  readonly code: 'EitherDayField';
  readonly what: string;
}

/** An expression ready for the search. What is not documented here is the engine's own. */
export interface Timing {
  readonly expression: string;
  /** The five fields (or `@every`) that count: without prefix, macro and `H`. */
  readonly resolved: string;
  readonly zone: Zone;
  readonly dst: DstRule;
  readonly kind: 'cron' | 'every';
  readonly notes: readonly TimingNote[];
  /** The zone comes from a prefix that the API server would refuse today. */
  readonly storedPrefix: boolean;
  readonly fields: CronFields;
  /** The safe rule is asked for and the expression is one that it changes. */
  readonly safe: boolean;
  readonly never: boolean;
  /** How far a search looks, in seconds. */
  readonly horizon: number;
  readonly period: number;
  readonly anchor: number;
  /** No base slot up to here counts. */
  readonly basesAfter: number;
  readonly spread: Spread | undefined;
  /** `H` or jitter: the slots follow from the seed. */
  readonly seeded: boolean;
}

export type CompiledTiming =
  | { readonly ok: true; readonly timing: Timing }
  | { readonly ok: false; readonly problem: TimingProblem };

const MOST_CHARACTERS = 1000;
const DAY = 86_400;
const YEAR = 366 * DAY;
/** 29 February 2096 to 2104 is the longest wait of the Kubernetes grammar; `1#5` in February needs forty years. */
const HORIZON = 9 * YEAR;
const EXTENDED_HORIZON = 41 * YEAR;
/** How many base slots one jitter window may span: a search looks at each of them. */
const MOST_BASES = 1_000_000;
const NO_NOTES: readonly TimingNote[] = [];

/**
 * Reads an expression in its dialect (cron.md 2). An expression that can never fire compiles; `neverFires` tells.
 * The zone is looked at before the fields, as the controller does.
 */
export function compileTiming(input: TimingInput): CompiledTiming {
  const { expression } = input;
  if (expression.length > MOST_CHARACTERS) return refused(tooLong(expression, MOST_CHARACTERS));
  const text = DIALECTS[input.dialect].trims ? trimBlanks(expression) : expression;
  if (!text.includes('TZ')) return compileIn(input, input.zone, text, false);
  const prefix = splitPrefix(text, input.dialect, input.allowStoredPrefix === true);
  switch (prefix.kind) {
    case 'none':
      return compileIn(input, input.zone, text, false);
    case 'zone':
      return compileIn(input, prefix.zone, prefix.rest, input.dialect === 'kubernetes');
    case 'refused':
      return refused(prefix.problem);
  }
}

function refused(problem: TimingProblem): CompiledTiming {
  return { ok: false, problem };
}

function compileIn(
  input: TimingInput,
  zoneName: string,
  text: string,
  storedPrefix: boolean,
): CompiledTiming {
  const zone = openedZone(zoneName) ?? firstOpening(zoneName);
  if ('what' in zone) return refused(zone);
  const dialect = DIALECTS[input.dialect];
  if (dialect.every && text.startsWith(EVERY)) {
    const period = parseGoDuration(text.slice(EVERY.length));
    if (period === undefined) return refused(refusalOf(text, input.dialect));
    return finish(input, { zone, resolved: text, storedPrefix, fields: NO_FIELDS, period });
  }
  const resolved = resolve(input, dialect, text);
  const fields = readFields(input, dialect, resolved);
  if (fields === undefined) return refused(whyRefused(input, dialect, text));
  return finish(input, { zone, resolved, storedPrefix, fields, period: 0 });
}

type Parts = Pick<Timing, 'zone' | 'resolved' | 'storedPrefix' | 'fields' | 'period'>;

function finish(input: TimingInput, parts: Parts): CompiledTiming {
  const { fields, period } = parts;
  const dst = input.dst ?? DIALECTS[input.dialect].dst;
  const jitter = Math.floor(input.jitterSeconds ?? 0);
  const timing: Timing = {
    expression: input.expression,
    resolved: parts.resolved,
    zone: parts.zone,
    dst,
    kind: period === 0 ? 'cron' : 'every',
    notes: fields.either ? dayNotes(parts.resolved, fields) : NO_NOTES,
    storedPrefix: parts.storedPrefix,
    fields,
    safe: dst === 'safe' && fields.fixedTime,
    never: period === 0 && neverMatches(fields),
    horizon: fields.extended === undefined ? HORIZON : EXTENDED_HORIZON,
    period,
    anchor: input.every ?? 0,
    basesAfter: input.basesAfter ?? Number.NEGATIVE_INFINITY,
    spread: jitter > 0 ? spreadOf(input.seed ?? '', jitter) : undefined,
    seeded: jitter > 0 || isHashed(input),
  };
  if (jitter > DAY && basesIn(jitter, timing) > MOST_BASES) return refused(wideWindow(jitter));
  return { ok: true, timing };
}

/** With all the slots that the expression names, also those before the object was made. */
export function unbound(timing: Timing): Timing {
  return { ...timing, basesAfter: Number.NEGATIVE_INFINITY };
}

/** A field that is `H` alone, which no other letter of the grammar is. */
function isHashed({ expression, dialect }: TimingInput): boolean {
  return DIALECTS[dialect].hash && expression.includes('H') && words(expression).includes('H');
}

function firstOpening(name: string): Zone | TimingProblem {
  const problem = zoneNameProblem(name);
  return problem === undefined ? openZone(name) : unknownZone(name, problem);
}

/** The five fields behind a macro or with numbers for `H`; anything else as it stands. */
function resolve(input: TimingInput, dialect: Dialect, text: string): string {
  if (text.charCodeAt(0) === 64) return dialect.macros ? (macroFields(text) ?? text) : text;
  return dialect.hash && text.includes('H') ? substituteH(text, input.seed ?? '') : text;
}

function readFields(input: TimingInput, dialect: Dialect, text: string): CronFields | undefined {
  const spec = dialect.sundayAsSeven ? WEEKDAYS_TO_7 : WEEKDAYS_TO_6;
  if (!dialect.extendedDays || input.extend === undefined || !needsExtendedDays(text))
    return parseFields(text, spec);
  const rest = takeExtendedDays(text, input.extend);
  return parseFields(rest.text, spec, rest.sets);
}

function whyRefused(input: TimingInput, dialect: Dialect, text: string): TimingProblem {
  if (!dialect.extendedDays || !needsExtendedDays(text)) return refusalOf(text, input.dialect);
  if (input.extend === undefined) return noExtension(text);
  return refusalOf(takeExtendedDays(text, input.extend).text, input.dialect);
}

/** Both day fields restrict, so either is enough: not what most authors mean. */
function dayNotes(text: string, fields: CronFields): readonly TimingNote[] {
  const [, , day = '', , weekday = ''] = words(text);
  const what = `day of month \`${day}\` and day of week \`${weekday}\` are both set: a day that either of them names is enough`;
  return fields.everyDay
    ? [{ code: 'EitherDayField', what: `${what}; here that is every day` }]
    : [{ code: 'EitherDayField', what }];
}

function basesIn(seconds: number, timing: Timing): number {
  return timing.period > 0
    ? seconds / timing.period
    : (seconds / DAY) * timesBefore(timing.fields, DAY_MINUTES);
}
