import { describe, expect, test } from 'vitest';
import { type BackupRow, backupsText } from '#render/backups-text.ts';
import { DEFAULT_TEXT } from '#render/text-options.ts';
import { at } from '#test/support/given-tick.ts';

const ROW: BackupRow = {
  key: { group: 'backups.cozystack.io', kind: 'Backup', namespace: 'shop', name: 'nightly-1' },
  application: { kind: 'Redis', name: 'sessions' },
  plan: 'nightly',
  takenAt: at('2026-11-29T03:00:00Z'),
  phase: 'Ready',
  uri: undefined,
  sizeBytes: undefined,
};

/** The cells of the only row, by the columns of the head. */
function shown(row: Partial<BackupRow>): Readonly<Record<string, string>> {
  const text = backupsText([{ ...ROW, ...row }], at('2026-11-29T04:00:00Z'), DEFAULT_TEXT);
  const [head = [], cells = []] = text.split('\n').map((line) => line.split(/ {2,}/));
  return Object.fromEntries(head.map((name, index) => [name, cells[index] ?? '']));
}

describe('the size of a backup', () => {
  test.each<[number | undefined, string]>([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [735_051_776, '701.0 MiB'],
    [Number.MAX_SAFE_INTEGER, '8.0 PiB'],
    [undefined, '-'],
  ])('%s is %s', (sizeBytes, size) => {
    expect(shown({ sizeBytes })['SIZE']).toBe(size);
  });

  test.each([-5, 0.5, 1536.25, 1e300, Number.MAX_SAFE_INTEGER + 1, Number.NaN, Number.POSITIVE_INFINITY])(
    'is not shown where it is %s, which nobody can have counted',
    (sizeBytes) => {
      expect(shown({ sizeBytes })['SIZE']).toBe('-');
    },
  );
});

test('what the record does not tell is a dash, or a question where it must', () => {
  expect(shown({ plan: undefined, takenAt: undefined, phase: '' })).toEqual({
    NAMESPACE: 'shop',
    NAME: 'nightly-1',
    APPLICATION: 'Redis/sessions',
    PLAN: '-',
    'TAKEN (UTC)': '?',
    AGE: '?',
    PHASE: '-',
    SIZE: '-',
    ARTIFACT: '-',
  });
});
