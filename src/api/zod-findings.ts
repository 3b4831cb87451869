import type * as z from 'zod/mini';
import { pathText } from '#api/issue.ts';
import { shownValue, typeName } from '#api/shown-value.ts';
import type { Finding } from '#core/kind.ts';
import type { FieldPath, Json } from '#core/object/object.ts';
import { valueAt } from '#core/object/value-at.ts';

type ZodIssue = z.core.$ZodIssue;

const TYPE_WORDS: Readonly<Record<string, string>> = {
  boolean: 'true or false, unquoted',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** Not the library's words, which depend on whether somebody loaded a language of it. */
function isOurs(message: string): boolean {
  return !message.startsWith('Invalid input');
}

/** A schema may name an example of what it wants. */
function wantedText({ message, expected }: z.core.$ZodIssueInvalidType): string {
  return isOurs(message) ? message : (TYPE_WORDS[expected] ?? expected);
}

function describe(issue: ZodIssue, path: FieldPath, value: Json | undefined): Pick<Finding, 'what' | 'fix'> {
  const field = pathText(path);
  const found = value === undefined ? 'nothing' : shownValue(value, path);
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = wantedText(issue);
      if (value === undefined) return { what: `${field} is required`, fix: `set it to ${wanted}` };
      return { what: `${field} is ${typeName(value)}, ${found}`, fix: `write ${wanted}` };
    }
    case 'invalid_value':
      return {
        what: `${field} is ${found}`,
        fix: `write one of ${issue.values.map(String).join(', ')}`,
      };
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return { what: `${field} is empty` };
      return { what: `${field} is ${found}`, fix: `write ${issue.minimum} or more` };
    case 'too_big':
      if (issue.origin === 'string')
        return { what: `${field} is too long`, fix: `write ${issue.maximum} characters or less` };
      if (issue.origin === 'array')
        return { what: `${field} is too long`, fix: `keep ${issue.maximum} entries or less` };
      return { what: `${field} is ${found}`, fix: `write ${issue.maximum} or less` };
    default:
      return {
        what: isOurs(issue.message)
          ? `${field} ${issue.message}`
          : `${field} is ${found}, which is not allowed here`,
      };
  }
}

/** Findings in our own words; `prefix` is where the parsed value stands in the object. */
export function zodFindings(issues: readonly ZodIssue[], root: Json, prefix: FieldPath): Finding[] {
  return issues.map((issue) => {
    const own = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    const path = [...prefix, ...own];
    const text = describe(issue, path, valueAt(root, own));
    return { code: 'InvalidField', severity: 'error', path, ...text };
  });
}
