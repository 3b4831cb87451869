import type { Json } from '#core/object/object.ts';
import { nodeWeight } from '#source/limits.ts';
import type { MapMarks, Marks } from './marks.ts';

/** A value as plain data, with where its parts stand and what it would cost to write it out in full. */
export interface Built {
  readonly value: Json;
  readonly marks: Marks;
  readonly size: number;
  /** Levels of collections: 0 for a scalar. */
  readonly height: number;
  /** The parts of a mapping or list, for a merge key that copies them. */
  readonly entries?: Entries;
  readonly items?: readonly Built[];
}

/** One key of a mapping that is being read. */
export interface Entry {
  readonly keyAt: number;
  readonly built: Built;
  /** False for what a merge key brought in: a key of the mapping itself replaces it. */
  readonly own: boolean;
}

export type Entries = Map<string, Entry>;

export function builtScalar(value: null | boolean | number | string, at: number): Built {
  return { value, marks: at, size: nodeWeight + (typeof value === 'string' ? value.length : 0), height: 0 };
}

export function builtList(items: readonly Built[], at: number): Built {
  let size = nodeWeight;
  let height = 0;
  for (const item of items) {
    size += item.size;
    height = Math.max(height, item.height);
  }
  const marks = { at, items: items.map((item) => item.marks) };
  return { value: items.map((item) => item.value), marks, size, height: height + 1, items };
}

/** A hostile `__proto__` key has to become an own property, as JSON.parse makes it. */
function setOwn(target: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

export function builtMap(entries: Entries, at: number): Built {
  const value: Record<string, Json> = {};
  const keyAts: number[] = [];
  const values: Marks[] = [];
  let size = nodeWeight;
  let height = 0;
  for (const [key, entry] of entries) {
    setOwn(value, key, entry.built.value);
    keyAts.push(entry.keyAt);
    values.push(entry.built.marks);
    size += key.length + entry.built.size;
    height = Math.max(height, entry.built.height);
  }
  const marks: MapMarks = { at, keys: [...entries.keys()], keyAts, values };
  return { value, marks, size, height: height + 1, entries };
}
