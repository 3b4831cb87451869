import type * as z from 'zod/mini';
import type { Finding } from '#core/kind.ts';
import type { FieldPath } from '#core/object/object.ts';

type ZodIssue = z.core.$ZodIssue;

const SHOWN = 60;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  boolean: 'true or false, unquoted',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  );
}

function describe(issue: ZodIssue, field: string, value: unknown): Pick<Finding, 'what' | 'fix'> {
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = TYPE_WORDS[issue.expected] ?? issue.expected;
      if (value === undefined) return { what: `${field} is required`, fix: `set it to ${wanted}` };
      return { what: `${field} is ${typeName(value)}, ${shown(value)}`, fix: `write ${wanted}` };
    }
    case 'invalid_value':
      return {
        what: `${field} is ${shown(value)}`,
        fix: `write one of ${issue.values.map(String).join(', ')}`,
      };
    case 'too_small':
      if (issue.origin === 'string') return { what: `${field} is empty` };
      return { what: `${field} is ${shown(value)}`, fix: `write ${issue.minimum} or more` };
    case 'too_big':
      return { what: `${field} is ${shown(value)}`, fix: `write ${issue.maximum} or less` };
    default:
      return {
        what:
          issue.message === 'Invalid input'
            ? `${field} is ${shown(value)}, which is not allowed here`
            : `${field} ${issue.message}`,
      };
  }
}

/** Findings in our own words; `prefix` is where the parsed value stands in the object. */
export function zodFindings(issues: readonly ZodIssue[], root: unknown, prefix: FieldPath): Finding[] {
  return issues.map((issue) => {
    const own = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    const path = [...prefix, ...own];
    const text = describe(issue, path.join('.'), valueAt(root, issue.path));
    return { code: 'InvalidField', severity: 'error', path, ...text };
  });
}
