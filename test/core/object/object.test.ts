import { describe, expect, it } from 'vitest';
import { canonicalJson, sameValue } from '#core/object/canonical.ts';
import { withCondition } from '#core/object/condition.ts';
import { fnv1a32 } from '#core/object/hash.ts';
import { compareKeys, keyText } from '#core/object/key.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import { readTimeValue, spellTime } from '#core/object/time-field.ts';
import { instant, parseInstant } from '#core/time/instant.ts';

describe('plain hash', () => {
  it('gives the published values of FNV-1a', () => {
    expect(['', 'a', 'foobar', 'größe', '日本', '😀'].map(fnv1a32)).toEqual(
      ['', 'a', 'foobar', 'größe', '日本', '😀'].map((text) => {
        const hash = [...Buffer.from(text, 'utf8')].reduce(
          (sum, byte) => Number((BigInt(sum ^ byte) * 0x01000193n) & 0xffffffffn),
          0x811c9dc5,
        );
        return (hash >>> 0).toString(16).padStart(8, '0');
      }),
    );
    expect(fnv1a32('foobar')).toBe('bf9cf968');
  });
});

describe('canonical form', () => {
  it('does not depend on the order of members', () => {
    expect(canonicalJson({ b: [{ y: 1, x: 2 }], a: null })).toBe(
      canonicalJson({ a: null, b: [{ x: 2, y: 1 }] }),
    );
  });

  it('keeps members with the names of inherited ones', () => {
    expect(canonicalJson(JSON.parse('{"__proto__": 1, "constructor": 2}'))).toBe(
      '{"__proto__":1,"constructor":2}',
    );
  });

  it.each([
    [{ a: undefined }, {}, true],
    [{ a: null }, {}, false],
    [[1, 2], [2, 1], false],
    [{ a: 1 }, { a: '1' }, false],
    [{ toString: 1 }, {}, false],
    [[], {}, false],
  ])('%j equals %j: %s', (a, b, want) => {
    expect(sameValue(a, b)).toBe(want);
  });
});

describe('conditions', () => {
  const now = instant(1_780_000_000);
  const draft = { type: 'Active', status: 'True', reason: 'Scheduled', message: 'm' } as const;
  const old = {
    type: 'Active',
    status: 'True',
    reason: 'Other',
    message: 'x',
    lastTransitionTime: '2020-01-01T00:00:00Z',
  };

  it('keep their transition time while the status stays', () => {
    expect(withCondition({ conditions: [old] }, draft, now)).toEqual([
      { ...draft, lastTransitionTime: '2020-01-01T00:00:00Z' },
    ]);
  });

  it('take now as transition time when the status flips', () => {
    const flipped = withCondition({ conditions: [{ ...old, status: 'False' }] }, draft, now);
    expect(flipped).toEqual([{ ...draft, lastTransitionTime: '2026-05-28T20:26:40Z' }]);
  });

  it('leave entries of others where they are', () => {
    const others = [{ type: 'Z', status: 'True' }, old, 'odd'];
    expect(
      withCondition({ conditions: others }, draft, now).map((entry) =>
        typeof entry === 'object' && entry !== null && 'type' in entry ? entry.type : entry,
      ),
    ).toEqual(['Z', 'Active', 'odd']);
  });
});

describe('keys', () => {
  it('sort by namespace, then name, whatever the kind', () => {
    const key = (namespace: string, name: string, kind: string) => ({ group: 'g', kind, namespace, name });
    const sorted = [key('b', 'a', 'A'), key('a', 'b', 'A'), key('a', 'a', 'Z'), key('a', 'a', 'B')]
      .sort(compareKeys)
      .map(keyText);
    expect(sorted).toEqual(['B a/a', 'Z a/a', 'A a/b', 'A b/a']);
  });
});

describe('nulls', () => {
  it('count as absent at every depth, inside lists too', () => {
    expect(withoutNulls({ a: null, b: { c: null, d: [{ e: null, f: 0 }, false] } })).toEqual({
      b: { d: [{ f: 0 }, false] },
    });
  });
});

describe('times that objects carry', () => {
  it('keep their spelling while they mean the same instant', () => {
    const field = readTimeValue('2026-06-10T05:00:00.5+02:00');
    expect(spellTime(parseInstant('2026-06-10T03:00:00Z'), field)).toBe('2026-06-10T05:00:00.5+02:00');
    expect(spellTime(parseInstant('2026-06-10T03:00:01Z'), field)).toBe('2026-06-10T03:00:01Z');
  });

  it.each([
    [undefined, 'absent'],
    [null, 'absent'],
    ['', 'garbage'],
    ['yesterday', 'garbage'],
    [1_780_000_000, 'garbage'],
    ['2026-02-30T00:00:00Z', 'garbage'],
    [{}, 'garbage'],
  ])('%j is %s', (value, state) => {
    expect(readTimeValue(value).state).toBe(state);
  });
});
