import { expect, it } from 'vitest';
import { firstAfter, latestAtOrBefore } from '#core/slot/search.ts';
import { slotCases } from '#test/core/slot/support/case-files.ts';
import { at, compiled, shown } from '#test/core/slot/support/compiled.ts';

const rows = slotCases();

it('has all 251 rows of the case file', () => {
  expect(rows).toHaveLength(251);
});

it.each(rows)('$expr in $zone after $after: next is $next ($note)', (row) => {
  const timing = compiled(row.expr, { zone: row.zone, every: at(row.after) });
  expect(shown(firstAfter(timing, at(row.after)))).toBe(row.next);
});

it.each(rows.filter((row) => row.prev !== undefined))(
  '$expr in $zone at $after: latest is $prev ($note)',
  (row) => {
    const timing = compiled(row.expr, { zone: row.zone });
    expect(shown(latestAtOrBefore(timing, at(row.after)))).toBe(row.prev);
  },
);

it.each(rows.filter((row) => row.robfig !== undefined))(
  "$expr in $zone: Go's own answer is not ours",
  (row) => {
    const timing = compiled(row.expr, { zone: row.zone });
    const ours = {
      next: shown(firstAfter(timing, at(row.after))),
      prev: shown(latestAtOrBefore(timing, at(row.after))),
    };
    expect(ours).not.toEqual(row.robfig);
  },
);
