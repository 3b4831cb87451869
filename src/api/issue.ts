import { plain, shownValue, typeName } from '#api/shown-value.ts';
import type { FieldPath, Json } from '#core/object/object.ts';

export type IssueKind =
  | 'required'
  | 'invalid'
  | 'unsupported'
  | 'forbidden'
  | 'tooLong'
  | 'tooMany'
  | 'duplicate'
  | 'type';

/** One rule of the Kubernetes API that an object breaks. */
export interface Issue {
  readonly path: FieldPath;
  /** The API server's own wording where it has one, without the path in front of it. */
  readonly message: string;
  /** What to write instead. */
  readonly fix?: string;
  readonly kind: IssueKind;
}

/** An issue before it knows where it stands. */
export interface Fault {
  readonly kind: IssueKind;
  /** Left out where the API leaves it out. */
  readonly value?: Json;
  readonly detail?: string;
  readonly fix?: string;
}

/** The heads of apimachinery's field errors. */
const HEADS: Readonly<Record<IssueKind, string>> = {
  required: 'Required value',
  invalid: 'Invalid value',
  unsupported: 'Unsupported value',
  forbidden: 'Forbidden',
  tooLong: 'Too long',
  tooMany: 'Too many',
  duplicate: 'Duplicate value',
  type: 'Invalid value',
};

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** A path as the API writes it, for example `spec.containers[0].env` or `metadata.labels[a.b/c]`. */
export function pathText(path: FieldPath): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (!PLAIN_KEY.test(key)) text += `[${plain(key)}]`;
    else text += text === '' ? key : `.${key}`;
  }
  return text;
}

/** Writes a fault out in the form `Head: value: detail`. A value that may be a credential is not shown. */
export function issueAt(path: FieldPath, fault: Fault): Issue {
  const parts = [HEADS[fault.kind]];
  if (fault.value !== undefined) parts.push(shownValue(fault.value, path));
  if (fault.kind === 'type') parts.push(`${pathText(path)} ${fault.detail ?? ''}`);
  else if (fault.detail !== undefined && fault.detail !== '') parts.push(fault.detail);
  const issue = { path, message: parts.join(': '), kind: fault.kind };
  return fault.fix === undefined ? issue : { ...issue, fix: fault.fix };
}

/** A value of another type than `expected` ('a string', 'an integer', …). */
export function wrongType(value: Json, expected: string): Fault {
  const detail = `must be ${expected}, not ${typeName(value)}`;
  if (typeof value === 'number' && expected === 'a string') {
    return { kind: 'type', value, detail, fix: 'write the value in quotes' };
  }
  if (typeof value === 'boolean' && expected === 'a string') {
    return { kind: 'type', value, detail, fix: `write "${value}" in quotes` };
  }
  return { kind: 'type', value, detail };
}

/** @param supported in the order in which the API server lists them */
export function unsupported(value: Json, supported: readonly string[]): Fault {
  const list = supported.map((one) => `"${one}"`).join(', ');
  return { kind: 'unsupported', value, detail: `supported values: ${list}` };
}

export function tooMany(count: number, limit: number): Fault {
  return { kind: 'tooMany', value: count, detail: `must have at most ${limit} items` };
}

export function tooLong(limit: number): Fault {
  return { kind: 'tooLong', detail: `may not be more than ${limit} bytes` };
}
