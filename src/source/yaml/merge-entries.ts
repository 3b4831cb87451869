import type { Built, Entries, Entry } from '#source/text/built.ts';

/** Keys of the mapping itself that the merge would set again, with the entry as the mapping has it. */
export type Overridden = readonly (readonly [key: string, entry: Entry])[];

function sourcesOf(value: Built): readonly Entries[] | undefined {
  const mappings = (value.items ?? [value]).map((item) => item.entries);
  return mappings.every((entries) => entries !== undefined) ? mappings : undefined;
}

/**
 * A merge key `<<`: one mapping, or a list of them in which the earlier wins (yaml.org/type/merge.html).
 * @returns undefined when the value is neither
 */
export function mergeEntries(into: Entries, value: Built): Overridden | undefined {
  const sources = sourcesOf(value);
  if (sources === undefined) return undefined;
  const overridden: [string, Entry][] = [];
  for (const entries of sources.toReversed()) {
    for (const [key, entry] of entries) {
      const known = into.get(key);
      if (known?.own === true) overridden.push([key, known]);
      else into.set(key, { ...entry, own: false });
    }
  }
  return overridden;
}
