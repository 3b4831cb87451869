import { describe, expect, it } from 'vitest';
import type { CronFields } from '#core/slot/fields.ts';
import { neverFires } from '#core/slot/search.ts';
import { compileTiming } from '#core/slot/timing.ts';
import { grammarCases } from '#test/core/slot/support/case-files.ts';
import { compiled, problemOf } from '#test/core/slot/support/compiled.ts';

const rows = grammarCases();
const plain = rows.filter((row) => !row.kubernetes.startsWith('reject') && row.group !== 'zone prefix');
const prefixed = rows.filter((row) => row.group === 'zone prefix');

function values(bits: number, base: number): number[] {
  return Array.from({ length: 32 }, (_, bit) => bit).flatMap((bit) =>
    (bits >>> bit) & 1 ? [bit + base] : [],
  );
}

function spread(fields: CronFields): Record<string, number[]> {
  return {
    m: [...values(fields.minutesLow, 0), ...values(fields.minutesHigh, 30)],
    h: values(fields.hours, 0),
    d: values(fields.days, 1),
    M: values(fields.months, 1),
    w: values(fields.weekdays, 0),
  };
}

function through(from: number, to: number, step = 1): number[] {
  const list: number[] = [];
  for (let value = from; value <= to; value += step) list.push(value);
  return list;
}

const FULL: Readonly<Record<string, number[]>> = {
  m: through(0, 59),
  h: through(0, 23),
  d: through(1, 31),
  M: through(1, 12),
  w: through(0, 6),
};

/** `0,2-4`, `0..55 by 5` or `none`. */
function wanted(text: string): number[] {
  if (text === 'none') return [];
  const by = /^(\d+)\.\.(\d+) by (\d+)$/.exec(text);
  if (by !== null) return through(Number(by[1]), Number(by[2]), Number(by[3]));
  return text.split(',').flatMap((item) => {
    const [from, to = from] = item.split('-').map(Number);
    return through(from ?? 0, to ?? 0);
  });
}

describe('grammar-cases.json', () => {
  it('has all 139 rows', () => {
    expect(rows).toHaveLength(139);
    expect(plain.length + prefixed.length + rows.filter((row) => row.kubernetes === 'reject').length).toBe(
      139 + prefixed.filter((row) => row.kubernetes === 'reject').length,
    );
  });

  it.each(rows.filter((row) => row.kubernetes === 'reject'))('refuses $expr ($group)', (row) => {
    const problem = problemOf(row.expr, { allowStoredPrefix: true });
    expect(problem.what).not.toBe('');
    expect(problem.why).not.toBe('');
    expect(problem.fix ?? '').not.toBe('');
  });

  it.each(plain.filter((row) => !row.kubernetes.startsWith('every')))('reads $expr as $kubernetes', (row) => {
    const timing = compiled(row.expr);
    const [sets = '', ending = ''] = row.kubernetes.split(' \u2014 ');
    const parts = sets.split('; ').filter((part) => !part.startsWith('d OR w'));
    const found = spread(timing.fields);
    for (const [name, full] of Object.entries(FULL)) {
      const part = parts.find((text) => text.startsWith(`${name} `))?.slice(2);
      if (part?.endsWith(',\u2026')) expect(found[name]?.join()).toMatch(/^0,2,3,4,6,8,9,10,12,14,15,16/);
      else expect({ [name]: found[name] }).toEqual({ [name]: part === undefined ? full : wanted(part) });
    }
    expect(timing.fields.either).toBe(sets.includes('d OR w'));
    if (sets.includes('every day')) expect(timing.fields.everyDay).toBe(true);
    expect(neverFires(timing)).toBe(ending === 'never fires');
  });

  it.each(plain.filter((row) => row.kubernetes === 'every minute'))('reads $expr as every minute', (row) => {
    expect(spread(compiled(row.expr).fields)).toEqual(FULL);
  });

  it.each(plain.filter((row) => / s from the last run$/.test(row.kubernetes)))(
    'reads $expr as $kubernetes',
    (row) => {
      expect(`every ${compiled(row.expr).period} s from the last run`).toBe(row.kubernetes);
    },
  );

  it.each(prefixed)("a zone prefix is the dialect's business: $expr", (row) => {
    const accepted = row.kubernetes.startsWith('library accepts');
    const result = (dialect: 'kubernetes' | 'defrag' | 'plan' | 'kopiur', allowStoredPrefix = false) =>
      compileTiming({ expression: row.expr, dialect, zone: 'UTC', allowStoredPrefix }).ok;
    expect(result('kubernetes')).toBe(false);
    expect(result('kopiur')).toBe(false);
    expect(result('kubernetes', true)).toBe(accepted);
    expect(result('defrag')).toBe(accepted);
    expect(result('plan')).toBe(accepted);
  });
});
