import type { FieldPath } from '#core/object/object.ts';

/** The shape of a value with offsets in place of its scalars: all that is kept of a document's layout. */
export type Marks = number | ListMarks | MapMarks;

export interface ListMarks {
  readonly at: number;
  readonly items: readonly Marks[];
}

/** Three columns of one table: the same index is the same entry. */
export interface MapMarks {
  readonly at: number;
  readonly keys: readonly string[];
  readonly keyAts: readonly number[];
  readonly values: readonly Marks[];
}

export function markAt(marks: Marks): number {
  return typeof marks === 'number' ? marks : marks.at;
}

/** An alias stands where it is written; what is inside it stands where the anchor is. */
export function movedTo(marks: Marks, at: number): Marks {
  return typeof marks === 'number' ? at : { ...marks, at };
}

export function childMarks(marks: Marks, step: string | number): Marks | undefined {
  if (typeof marks === 'number') return undefined;
  if ('items' in marks) return typeof step === 'number' ? marks.items[step] : undefined;
  const index = marks.keys.indexOf(String(step));
  return index < 0 ? undefined : marks.values[index];
}

/**
 * The offset of the value at `path`. When it is absent: of the key (or list item) of its nearest parent that is
 * written, since that is the line where it has to be added.
 */
export function findMark(marks: Marks, path: FieldPath): number {
  let here = marks;
  let parent = markAt(marks);
  for (const step of path) {
    const next = childMarks(here, step);
    if (next === undefined) return parent;
    parent = keyAt(here, step) ?? markAt(next);
    here = next;
  }
  return markAt(here);
}

function keyAt(marks: Marks, step: string | number): number | undefined {
  if (typeof marks === 'number' || 'items' in marks) return undefined;
  return marks.keyAts[marks.keys.indexOf(String(step))];
}
