import type * as z from 'zod/mini';
import { compareDiagnostics, type Diagnostic } from '#core/diagnostic.ts';
import { fieldOf } from '#core/field-of.ts';
import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, JsonObject, Place } from '#core/object/object.ts';
import { parseDuration } from '#core/time/duration.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { parseData } from '#source/parse-data.ts';
import { type ConfigFinding, configFindings } from './config-findings.ts';
import { configSchema } from './config-schema.ts';
import { keyPlace } from './key-place.ts';
import { readSelector, type Selector } from './parsers.ts';
import type { TelemetryWish } from './telemetry/wish.ts';

/** What is done about the schedules of a kind, or the orders of a driver; of one that is off nothing is read. */
export type Mode = 'manage' | 'observe' | 'off';

/** What a configuration file may say; every part of it has a flag or a default. */
export interface Config {
  /** Per id of a kind or a driver. */
  readonly modes: Readonly<Record<string, Mode>>;
  /** Per id of what decides how many runs are kept. */
  readonly retention: Readonly<Record<string, 'manage' | 'observe'>>;
  /** Per id of a kind whose schedules have no deadline of their own; in seconds. */
  readonly deadlines?: Readonly<Record<string, number>> | undefined;
  /** Whose schedules are looked at, each once; absent = those of the whole cluster. */
  readonly namespaces?: readonly string[] | undefined;
  readonly selector?: Selector | undefined;
  readonly timeZone?: string | undefined;
  readonly graceSeconds?: number | undefined;
  readonly dst?: 'safe' | undefined;
  readonly maxCreates?: number | undefined;
  readonly maxDeletes?: number | undefined;
  /** How long a whole tick may go on trying again. */
  readonly retryBudgetMs?: number | undefined;
  /** How long one request may take. */
  readonly requestTimeoutMs?: number | undefined;
  readonly telemetry?: TelemetryWish | undefined;
}

export type ReadConfig =
  | { readonly ok: true; readonly config: Config; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export const NO_CONFIG: Config = { modes: {}, retention: {} };

type File = z.infer<ReturnType<typeof configSchema>>;

function modesOf(value: JsonObject): Config['modes'] {
  const modes: Record<string, Mode> = {};
  for (const { id } of [...KINDS, ...DRIVERS]) {
    const mode = value[fieldOf(id)];
    if (mode === 'manage' || mode === 'observe' || mode === 'off') modes[id] = mode;
  }
  return modes;
}

function retentionOf(value: JsonObject): Config['retention'] {
  const modes: Record<string, 'manage' | 'observe'> = {};
  for (const { retention } of KINDS) {
    if (retention === undefined) continue;
    const section = value[fieldOf(retention.id)];
    const mode = isObject(section) ? section['retention'] : undefined;
    if (mode === 'manage' || mode === 'observe') modes[retention.id] = mode;
  }
  return modes;
}

function deadlinesOf(value: JsonObject): Config['deadlines'] {
  const deadlines: Record<string, number> = {};
  for (const { id, deadlineSection } of KINDS) {
    const section = deadlineSection === undefined ? undefined : value[deadlineSection];
    const seconds = isObject(section) ? section['startingDeadlineSeconds'] : undefined;
    if (typeof seconds === 'number') deadlines[id] = seconds;
  }
  return Object.keys(deadlines).length === 0 ? undefined : deadlines;
}

/** A retention of runs that are not even read would be thought to hold. */
function idleRetention({ modes, retention }: Config): readonly ConfigFinding[] {
  return KINDS.flatMap((kind): ConfigFinding[] => {
    const id = kind.retention?.id;
    if (id === undefined || retention[id] !== 'manage' || modes[kind.id] !== 'off') return [];
    const path = [fieldOf(id), 'retention'];
    const what = `${path.join('.')} is "manage", and ${fieldOf(kind.id)} is off`;
    const fix = `remove it, or write ${fieldOf(kind.id)}: observe`;
    return [{ code: 'InvalidConfig', severity: 'error', path, what, fix, atKey: false }];
  });
}

function secondsOf(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : parseDuration(duration);
}

function millisecondsOf(duration: string | undefined): number | undefined {
  const seconds = secondsOf(duration);
  return seconds === undefined ? undefined : seconds * 1000;
}

function configOf(value: JsonObject, { namespaces, selector, ...file }: File): Config {
  const { defaults = {}, budgets = {}, retries = {} } = file;
  return {
    modes: modesOf(value),
    retention: retentionOf(value),
    deadlines: deadlinesOf(value),
    namespaces: namespaces === undefined ? undefined : [...new Set(namespaces)],
    selector: selector === undefined ? undefined : readSelector(selector),
    timeZone: defaults.timeZone,
    graceSeconds: secondsOf(defaults.grace),
    dst: defaults.dst,
    ...budgets,
    retryBudgetMs: millisecondsOf(retries.budget),
    requestTimeoutMs: millisecondsOf(retries.timeout),
    telemetry: file.telemetry,
  };
}

function notAMapping(place: Place): Diagnostic {
  const fix = 'write settings, such as cronJob: manage';
  return { code: 'InvalidConfig', severity: 'error', place, what: 'the configuration is no mapping', fix };
}

/** The configuration that the data are, or what is wrong with them. */
function readData(value: JsonObject): Config | readonly ConfigFinding[] {
  const schema = configSchema();
  const parsed = schema.safeParse(value);
  if (!parsed.success) return configFindings(schema, parsed.error.issues, value);
  const config = configOf(value, parsed.data);
  const idle = idleRetention(config);
  return idle.length > 0 ? idle : config;
}

function isFindings(read: Config | readonly ConfigFinding[]): read is readonly ConfigFinding[] {
  return Array.isArray(read);
}

/** The configuration that data are by the rules of `configSchema`; a setting that nobody knows is an error. */
export function readConfigData(value: JsonObject, placeOf: (path: FieldPath) => Place): ReadConfig {
  const read = readData(value);
  if (!isFindings(read)) return { ok: true, config: read, diagnostics: [] };
  const located = read.map(({ atKey, ...finding }): Diagnostic => {
    const place = atKey ? keyPlace(placeOf, finding.path) : placeOf(finding.path);
    return { ...finding, place };
  });
  return { ok: false, diagnostics: located.sort(compareDiagnostics) };
}

/** Reads a configuration file. */
export function parseConfig(file: string, text: string): ReadConfig {
  const { value: data, placeOf, diagnostics } = parseData(file, text);
  const value: Json = data ?? {};
  if (!isObject(value)) return { ok: false, diagnostics: [...diagnostics, notAMapping(placeOf([]))] };
  if (diagnostics.some(({ severity }) => severity === 'error')) return { ok: false, diagnostics };
  const read = readConfigData(value, placeOf);
  return { ...read, diagnostics: [...diagnostics, ...read.diagnostics] };
}
