import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { ObjectKey, Place } from '#core/object/object.ts';
import { codeFrame } from '#render/code-frame.ts';
import { diagnosticsText } from '#render/diagnostic-text.ts';
import { DEFAULT_TEXT } from '#render/text-options.ts';

const dump: ObjectKey = { group: 'batch', kind: 'CronJob', namespace: 'harbor', name: 'dump' };

function place(line: number, column: number, file = 'jobs/dump.yaml'): Place {
  return { file, line, column };
}

const badMinute: Diagnostic = {
  code: 'InvalidSchedule',
  severity: 'error',
  object: dump,
  path: ['spec', 'schedule'],
  place: place(12, 13),
  what: 'minute `61` cannot be read',
  why: '`61` is not in 0 to 59',
  fix: 'write a value from 0 to 59',
};

test('a diagnostic shows place, severity, code and text, the line, the reason, the remedy and the object', () => {
  const lineOf = ({ line }: Place): string | undefined =>
    line === 12 ? '  schedule: "61 * * * *"' : undefined;
  expect(
    diagnosticsText([badMinute], { ...DEFAULT_TEXT, lineOf }),
  ).toBe(`jobs/dump.yaml:12:13: error InvalidSchedule: minute \`61\` cannot be read
  12 |   schedule: "61 * * * *"
     |             ^
  why:    \`61\` is not in 0 to 59
  fix:    write a value from 0 to 59
  object: CronJob harbor/dump
1 error.
`);
});

test('without a source line there is no picture, without a place no place', () => {
  const { place: _place, ...unplaced } = badMinute;
  expect(diagnosticsText([unplaced], DEFAULT_TEXT)).toBe(`error InvalidSchedule: minute \`61\` cannot be read
  why:    \`61\` is not in 0 to 59
  fix:    write a value from 0 to 59
  object: CronJob harbor/dump
1 error.
`);
});

test('errors come first, then places in the order of files and lines, whatever the order of the input', () => {
  const note: Diagnostic = {
    code: 'EitherDayField',
    severity: 'note',
    place: place(1, 1, 'a.yaml'),
    what: 'either',
  };
  const warning: Diagnostic = {
    code: 'UnknownField',
    severity: 'warning',
    place: place(2, 1, 'a.yaml'),
    what: 'odd',
  };
  const second: Diagnostic = { code: 'InvalidField', severity: 'error', place: place(13, 1), what: 'later' };
  const unplaced: Diagnostic = { code: 'ListUnreadable', severity: 'error', what: 'jobs could not be read' };
  const given = [
    note,
    unplaced,
    second,
    warning,
    { code: 'InvalidField', severity: 'error', place: place(2, 1), what: 'first' } as const,
  ];
  const want = `jobs/dump.yaml:2:1: error InvalidField: first
jobs/dump.yaml:13:1: error InvalidField: later
error ListUnreadable: jobs could not be read
a.yaml:2:1: warning UnknownField: odd
a.yaml:1:1: note EitherDayField: either
3 errors, 1 warning, 1 note.
`;
  expect(diagnosticsText(given, DEFAULT_TEXT)).toBe(want);
  expect(diagnosticsText([...given].reverse(), DEFAULT_TEXT)).toBe(want);
});

test('nothing to say is nothing', () => {
  expect(diagnosticsText([], DEFAULT_TEXT)).toBe('');
});

test('file names, texts and source lines cannot speak to the terminal or a CI log, and no password is told', () => {
  const hostile: Diagnostic = {
    code: 'InvalidField',
    severity: 'error',
    object: { ...dump, name: 'x\n1 to create' },
    place: place(1, 3, '\u001b[31mred.yaml'),
    what: 'db://u:s3cr3t@ledger is\rodd',
    fix: '::error::forged',
  };
  const text = diagnosticsText([hostile], { ...DEFAULT_TEXT, lineOf: () => '\u202e: \u001b[2J' });
  expect(text).toBe(`\\x1b[31mred.yaml:1:3: error InvalidField: db://u:(masked 1)@ledger is\\rodd
  1 | \\u202e: \\x1b[2J
    |        ^
  fix:    \\x3a:error::forged
  object: CronJob harbor/x\\n1 to create
1 error.
`);
});

describe('the picture of a line', () => {
  test('has its mark under the column', () => {
    expect(codeFrame('a: b', { file: 'f', line: 3, column: 4 }, 80)).toEqual(['3 | a: b', '  |    ^']);
  });

  test('is cut around the mark where the line is long', () => {
    const [line = '', mark = ''] = codeFrame(
      `${'x'.repeat(500)}Y${'z'.repeat(500)}`,
      { file: 'f', line: 3, column: 501 },
      60,
    );
    expect(line.length).toBeLessThanOrEqual(60);
    expect(line[mark.indexOf('^')]).toBe('Y');
  });

  test('holds for a column behind the end and for an empty line', () => {
    expect(codeFrame('ab', { file: 'f', line: 1, column: 3 }, 80)).toEqual(['1 | ab', '  |   ^']);
    expect(codeFrame('', { file: 'f', line: 1, column: 1 }, 80)).toEqual(['1 | ', '  | ^']);
  });
});
