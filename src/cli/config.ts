import * as z from 'zod/mini';
import { zodFindings } from '#api/zod-findings.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { Finding } from '#core/kind.ts';
import { nearestName } from '#core/nearest-name.ts';
import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, Place } from '#core/object/object.ts';
import { parseDuration } from '#core/time/duration.ts';
import { zoneNameProblem } from '#core/time/zone-name.ts';
import { KINDS } from '#kinds/index.ts';
import { parseData } from '#source/parse-data.ts';
import { keyPlace } from './key-place.ts';

/** What a configuration file may say; every part of it has a flag or a default. */
export interface Config {
  /** Per kind id. */
  readonly writers: Readonly<Record<string, 'manage' | 'observe'>>;
  /** Per id of what decides how many runs are kept. */
  readonly retention: Readonly<Record<string, 'manage' | 'observe'>>;
  readonly timeZone?: string;
  readonly graceSeconds?: number;
  readonly dst?: 'safe';
  readonly maxCreates?: number;
  readonly maxDeletes?: number;
}

export type ReadConfig =
  | { readonly ok: true; readonly config: Config; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export const NO_CONFIG: Config = { writers: {}, retention: {} };

/** `cron-job` is `cronJob` in a file of YAML. */
function fieldOf(kindId: string): string {
  return kindId.replace(/-([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}

const RETENTIONS = KINDS.flatMap(({ retention }) => retention?.id ?? []);

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(RETENTIONS.map((id) => [fieldOf(id), ['retention']])),
  defaults: ['timeZone', 'grace', 'dst'],
  budgets: ['maxCreates', 'maxDeletes'],
};

function schema() {
  const count = z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000)));
  return z.looseObject({
    defaults: z.optional(
      z.looseObject({
        timeZone: z.optional(z.string()),
        grace: z.optional(z.string()),
        dst: z.optional(z.literal('safe')),
      }),
    ),
    budgets: z.optional(z.looseObject({ maxCreates: count, maxDeletes: count })),
  });
}

type Parsed = z.infer<ReturnType<typeof schema>>;

function unknownFields(value: Json | undefined, path: FieldPath, known: readonly string[]): Finding[] {
  if (!isObject(value)) return [];
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  return unknown.map((key) => {
    const nearest = nearestName(key, known);
    const fix = nearest === undefined ? `write one of ${known.join(', ')}` : `write ${nearest}`;
    return {
      code: 'InvalidConfig',
      severity: 'error',
      path: [...path, key],
      what: `${[...path, key].join('.')} is no setting`,
      fix,
    };
  });
}

function valueFindings(defaults: {
  readonly timeZone?: string | undefined;
  readonly grace?: string | undefined;
}): Finding[] {
  const findings: Finding[] = [];
  const zone = defaults.timeZone === undefined ? undefined : zoneNameProblem(defaults.timeZone);
  if (zone !== undefined) {
    const fix = zone.fix === undefined ? {} : { fix: zone.fix };
    findings.push({
      code: 'InvalidConfig',
      severity: 'error',
      path: ['defaults', 'timeZone'],
      what: `defaults.timeZone: ${zone.what}`,
      ...fix,
    });
  }
  if (defaults.grace !== undefined && parseDuration(defaults.grace) === undefined) {
    const what = `defaults.grace is ${JSON.stringify(defaults.grace)}`;
    findings.push({
      code: 'InvalidConfig',
      severity: 'error',
      path: ['defaults', 'grace'],
      what,
      fix: 'write a duration such as 90s, 5m or 1h30m',
    });
  }
  return findings;
}

type Word = 'manage' | 'observe';

interface Words {
  readonly words: Readonly<Record<string, Word>>;
  readonly findings: readonly Finding[];
}

/** Settings of one word each, by the id that they belong to. */
function readWords(
  value: Json,
  fields: readonly { readonly id: string; readonly path: readonly string[] }[],
): Words {
  const words: Record<string, Word> = {};
  const findings: Finding[] = [];
  for (const { id, path } of fields) {
    const word = path.reduce<Json | undefined>(
      (holder, key) => (isObject(holder) ? holder[key] : undefined),
      value,
    );
    if (word === undefined) continue;
    if (word === 'manage' || word === 'observe') words[id] = word;
    else
      findings.push({
        code: 'InvalidConfig',
        severity: 'error',
        path,
        what: `${path.join('.')} is ${JSON.stringify(word)}`,
        fix: 'write manage or observe',
      });
  }
  return { words, findings };
}

/** Whether the objects of a kind are acted on here, and whether what they keep is. */
function readWriters(value: Json): { readonly writers: Words; readonly retention: Words } {
  return {
    writers: readWords(
      value,
      KINDS.map(({ id }) => ({ id, path: [fieldOf(id)] })),
    ),
    retention: readWords(
      value,
      RETENTIONS.map((id) => ({ id, path: [fieldOf(id), 'retention'] })),
    ),
  };
}

function checkFields(value: Json): Finding[] {
  if (!isObject(value)) return [];
  const known = [...KINDS.map(({ id }) => fieldOf(id)), ...Object.keys(FIELDS)];
  return [
    ...unknownFields(value, [], known),
    ...Object.entries(FIELDS).flatMap(([field, inner]) => unknownFields(value[field], [field], inner)),
    ...RETENTIONS.map(fieldOf).flatMap((field) => notNested(value[field], field)),
  ];
}

/** A word where a mapping belongs would be thought to hold. */
function notNested(value: Json | undefined, field: string): Finding[] {
  if (value === undefined || isObject(value)) return [];
  const what = `${field} is ${JSON.stringify(value)}, which is no mapping`;
  return [
    {
      code: 'InvalidConfig',
      severity: 'error',
      path: [field],
      what,
      fix: `write retention: manage or retention: observe below ${field}`,
    },
  ];
}

function notAMapping(place: Place): Diagnostic {
  const fix = 'write settings, such as cronJob: manage';
  return { code: 'InvalidConfig', severity: 'error', place, what: 'the configuration is no mapping', fix };
}

function configOf(
  { defaults = {}, budgets = {} }: Parsed,
  words: Pick<Config, 'writers' | 'retention'>,
): Config {
  const graceSeconds = defaults.grace === undefined ? undefined : parseDuration(defaults.grace);
  const { timeZone, dst } = defaults;
  const { maxCreates, maxDeletes } = budgets;
  return {
    ...words,
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(graceSeconds === undefined ? {} : { graceSeconds }),
    ...(dst === undefined ? {} : { dst }),
    ...(maxCreates === undefined ? {} : { maxCreates }),
    ...(maxDeletes === undefined ? {} : { maxDeletes }),
  };
}

/**
 * Reads a configuration: `cronJob: manage`, `defaults: {timeZone, grace, dst}`, `budgets: {maxCreates, maxDeletes}`.
 * A setting that nobody knows is an error, since it would be thought to hold.
 */
export function parseConfig(file: string, text: string): ReadConfig {
  const { value: read, placeOf, diagnostics } = parseData(file, text);
  const value = read ?? {};
  if (!isObject(value)) return { ok: false, diagnostics: [...diagnostics, notAMapping(placeOf([]))] };
  if (diagnostics.some(({ severity }) => severity === 'error')) return { ok: false, diagnostics };
  const parsed = schema().safeParse(value);
  const { writers, retention } = readWriters(value);
  const unknown = checkFields(value);
  const findings = [...writers.findings, ...retention.findings];
  if (!parsed.success) {
    findings.push(
      ...zodFindings(parsed.error.issues, value, []).map(
        (finding): Finding => ({ ...finding, code: 'InvalidConfig' }),
      ),
    );
  } else findings.push(...valueFindings(parsed.data.defaults ?? {}));
  const located = [
    ...unknown.map((finding): Diagnostic => ({ ...finding, place: keyPlace(placeOf, finding.path) })),
    ...findings.map((finding): Diagnostic => ({ ...finding, place: placeOf(finding.path) })),
  ];
  if (!parsed.success || located.length > 0) return { ok: false, diagnostics: [...diagnostics, ...located] };
  return {
    ok: true,
    config: configOf(parsed.data, { writers: writers.words, retention: retention.words }),
    diagnostics,
  };
}
