import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, ObjectKey } from '#core/object/object.ts';
import type { Built } from '#source/text/built.ts';
import { childMarks, type Marks, markAt } from '#source/text/marks.ts';
import type { Problem } from '#source/text/problem.ts';
import { listItems } from './list-items.ts';
import { statedKey } from './object-key.ts';

/** Paths that say which object it is: a finding about them leaves that open. */
const IDENTITY = /^(?:apiVersion|kind|metadata|metadata\/(?:name|namespace))$/;

function itemAt(items: readonly Json[], marks: Marks, at: number): number {
  const list = childMarks(marks, 'items');
  if (list === undefined || typeof list === 'number' || !('items' in list)) return -1;
  return list.items.findLastIndex((mark, index) => index < items.length && markAt(mark) <= at);
}

function named(value: Json | undefined, problem: Problem, path: FieldPath): Problem {
  const open = problem.code === 'DuplicateKey' && IDENTITY.test(path.join('/'));
  const object: ObjectKey | undefined =
    open || value === undefined || !isObject(value) ? undefined : statedKey(value);
  const relative = path.length === 0 ? {} : { path };
  const { path: _, ...rest } = problem;
  return { ...rest, ...relative, ...(object === undefined ? {} : { object }) };
}

/** Says which object a finding in a document is about, and makes its path start at that object. */
export function locate(problem: Problem, built: Built): Problem {
  const path = problem.path ?? [];
  const items = isObject(built.value) ? listItems(built.value) : undefined;
  if (items === undefined) return named(built.value, problem, path);
  const [field, step] = path;
  const index = field === 'items' && typeof step === 'number' ? step : itemAt(items, built.marks, problem.at);
  return named(items[index], problem, field === 'items' ? path.slice(2) : path);
}
