import * as z from 'zod/mini';
import { pathText } from '#api/issue.ts';
import { zodFindings } from '#api/zod-findings.ts';
import type { Finding } from '#core/kind.ts';
import { nearestName } from '#core/nearest-name.ts';
import type { FieldPath, Json } from '#core/object/object.ts';
import type { TextProblem } from './config-schema.ts';

/** A finding of a configuration, and whether what is wrong is the key itself. */
export interface ConfigFinding extends Finding {
  readonly atKey: boolean;
}

function finding(path: FieldPath, { what, fix }: TextProblem, atKey = false): ConfigFinding {
  const text = fix === undefined ? { what } : { what, fix };
  return { code: 'InvalidConfig', severity: 'error', path, ...text, atKey };
}

/** The settings that the schema has at a place. */
function settingsAt(schema: z.core.$ZodType, path: FieldPath): readonly string[] {
  if (schema instanceof z.ZodMiniOptional) return settingsAt(schema._zod.def.innerType, path);
  if (!(schema instanceof z.ZodMiniObject)) return [];
  const [key, ...rest] = path;
  if (key === undefined) return Object.keys(schema.shape);
  const member: z.core.$ZodType | undefined = schema.shape[key];
  return member === undefined ? [] : settingsAt(member, rest);
}

/** A setting that nobody knows is an error, since it would be thought to hold. */
function unknownSetting(path: FieldPath, known: readonly string[]): ConfigFinding {
  const nearest = nearestName(String(path.at(-1) ?? ''), known);
  const fix = nearest === undefined ? `write one of ${known.join(', ')}` : `write ${nearest}`;
  return finding(path, { what: `${pathText(path)} is no setting`, fix }, true);
}

function readPath(issue: z.core.$ZodIssue): FieldPath {
  return issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
}

/** A rule in code tells what is wrong behind the name of its setting. */
function ruleFinding(issue: z.core.$ZodIssueCustom): ConfigFinding {
  const path = readPath(issue);
  const { what = '', fix } = issue.params ?? {};
  const fixed = typeof fix === 'string' ? { fix } : {};
  return finding(path, { what: `${pathText(path)}${what}`, ...fixed });
}

/** What is wrong with the data of a configuration, in our own words. */
export function configFindings(
  schema: z.core.$ZodType,
  issues: readonly z.core.$ZodIssue[],
  value: Json,
): readonly ConfigFinding[] {
  return issues.flatMap((issue): ConfigFinding[] => {
    const path = readPath(issue);
    if (issue.code === 'custom') return [ruleFinding(issue)];
    if (issue.code === 'unrecognized_keys') {
      const known = settingsAt(schema, path);
      return issue.keys.map((key) => unknownSetting([...path, key], known));
    }
    const [told] = zodFindings([issue], value, []);
    if (told === undefined) return [];
    if (issue.code !== 'invalid_type' || issue.expected !== 'object') return [finding(path, told)];
    const fix = `write settings below ${pathText(path)}: ${settingsAt(schema, path).join(', ')}`;
    return [finding(path, { what: told.what, fix })];
  });
}
