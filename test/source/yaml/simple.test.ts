import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '#source/limits.ts';
import type { BuildContext } from '#source/text/build-context.ts';
import type { Built } from '#source/text/built.ts';
import { collectFindings } from '#source/text/findings.ts';
import { placesIn } from '#source/text/line-index.ts';
import { splitDocuments } from '#source/text/split-documents.ts';
import { buildDocument } from '#source/yaml/build.ts';
import { composeDocument } from '#source/yaml/compose.ts';
import type { ScalarRules } from '#source/yaml/scalar.ts';
import { readSimple } from '#source/yaml/simple.ts';

const LONG = process.env['MINUTEHAND_TEST'] === 'long';
const START = 7;

function read(
  text: string,
  scalars: ScalarRules,
  how: (context: BuildContext) => Built | undefined,
): { readonly built: Built | undefined; readonly problems: readonly unknown[] } {
  const findings = collectFindings();
  const context: BuildContext = {
    text,
    start: START,
    limits: defaultLimits,
    scalars,
    placeAt: placesIn('a.yaml', `${' '.repeat(START)}${text}`),
    report: findings.report,
    anchors: new Map(),
    path: [],
    expansion: 0,
    exhausted: false,
  };
  return { built: how(context), problems: findings.problems() };
}

/** Whether it was read as a simple document; then the library has to read the same, findings and places included. */
function isSimple(text: string): boolean {
  let simple = false;
  for (const scalars of ['kubectl', 'core'] as const) {
    const short = read(text, scalars, readSimple);
    if (short.built === undefined) {
      expect(short.problems).toEqual([]);
      continue;
    }
    simple = true;
    const { contents, fault, secondAt } = composeDocument(text, defaultLimits);
    expect({ text, fault, secondAt }).toEqual({ text, fault: undefined, secondAt: undefined });
    expect({ text, ...short }).toEqual({
      text,
      ...read(text, scalars, (context) => buildDocument(contents, context)),
    });
  }
  return simple;
}

describe('a simple document', () => {
  test.each([
    [
      'a schedule',
      'kind: CronJob\nmetadata:\n  name: a\n  labels:\n    a.b/c: "x"\nspec:\n  schedule: "0 3 * * *"\n',
    ],
    ['a start and comments', '---\n# said\na: 1\n   # more\n\nb:\n  c: x\n'],
    ['empty values', "a:\nb:\n  c:\nd: ''\n"],
    ['ambiguous values', 'z: off\na: yes\nb: 0123\nc: 1_000\nd: 12345678901234567890\ne: .5\nf: 1e3\n'],
    ['no line break at the end', 'a: b'],
    ['plain texts', 'a: busybox:1.37\nb: 10 minutes, or so\nc: -5\nd: 2026-01-01\ne: a-b_c/d.e\n'],
  ])('%s is read as the library reads it', (_name, text) => expect(isSimple(text)).toBe(true));

  test.each([
    ['nothing', ''],
    ['comments alone', '# a\n'],
    ['a list', 'a:\n  - b\n'],
    ['a flow mapping', 'a: {b: c}\n'],
    ['a text in several lines', 'a: b\n  c\n'],
    ['a comment behind a value', 'a: b # c\n'],
    ['a comment behind an empty value', 'a: # c\n  b: d\n'],
    ['a blank behind a value', 'a: b \n'],
    ['an escape', 'a: "\\n"\n'],
    ['an anchor', 'a: &b c\n'],
    ['an alias', 'a: *b\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a block text', 'a: |\n  b\n'],
    ['a merge', '<<: a\n'],
    ['a key twice', 'a: 1\na: 2\n'],
    ['keys that may be one', 'on: 1\nyes: 2\n'],
    ['such a key within', 'a:\n  True: 1\n  true: 2\n'],
    ['a key that is too long', `${'k'.repeat(1025)}: 1\n`],
    ['a line of another depth', 'a:\n    b: 1\n  c: 2\n'],
    ['a value and a mapping', 'a: 1\n  b: 2\n'],
    ['an indented document', '  a: 1\n'],
    ['a second document', 'a: 1\n...\nb: 2\n'],
    ['a value behind the start', '--- a: 1\n'],
    ['a directive', '%YAML 1.1\n---\na: 1\n'],
    ['a tabulator', 'a:\t1\n'],
    ['a letter beyond ASCII', 'a: \u00e9\n'],
    ['a colon that splits', 'a: b: c\n'],
    ['a colon at the end', 'a: b:\n'],
    ['an end of quotes in the middle', "a: 'b' c\n"],
  ])('%s is left to the library', (_name, text) => expect(isSimple(text)).toBe(false));

  test('those of this repository are read as the library reads them', () => {
    const files = globSync('{examples,policies,test/scenarios}/**/*.yaml');
    const documents = files.flatMap((file) =>
      splitDocuments(readFileSync(file, 'utf8'), 1000).map(({ text }) => text),
    );
    const some = LONG ? documents : documents.filter((_document, index) => index % 5 === 0);
    expect(some.filter(isSimple).length).toBeGreaterThan(some.length / 10);
  });

  test('whatever is written of such lines means the same to both', () => {
    const words = [
      'a',
      'b',
      'on',
      'null',
      '1',
      '0x1F',
      '-1',
      '.5',
      '1.0',
      'a b',
      'a:b',
      '"a"',
      "'1'",
      '~',
      '*a',
      '- a',
      '"a" b',
      '',
      '#',
      ' #',
      '-',
      '?',
      '? a',
      ':',
      '|',
      '>-',
      '@a',
      '%a',
      '{}',
      '...',
      '---',
      '=',
      '<<',
      'a#b',
      '1:30',
      '2026-01-01T00:00:00Z',
      '+1',
      '1e3',
      '0o7',
      '.inf',
      '.nan',
      '_',
      'a,',
      '(a)',
      '/',
      '+',
      '.',
      '..',
    ];
    const word = fc.constantFrom(...words);
    const often = <T>(usual: T, ...others: readonly T[]) =>
      fc.oneof(
        { weight: 12, arbitrary: fc.constant(usual) },
        { weight: 1, arbitrary: fc.constantFrom(...others) },
      );
    const line = fc.tuple(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom('', '  ') },
        { weight: 1, arbitrary: fc.constantFrom('    ', ' ', '# ') },
      ),
      fc.oneof({ weight: 8, arbitrary: fc.constant('key') }, { weight: 1, arbitrary: word }),
      often(': ', ':', ':  ', ' : ', ''),
      fc.oneof({ weight: 2, arbitrary: word }, { weight: 1, arbitrary: fc.constantFrom('', 'x') }),
      often('', ' ', ' # x'),
    );
    const text = fc
      .array(line, { minLength: 1, maxLength: 4 })
      .map((lines) =>
        lines
          .map(([indent, key, ...rest], index) =>
            [indent, key === 'key' ? `k${index}` : key, ...rest].join(''),
          )
          .join('\n'),
      );
    const runs = LONG ? 20_000 : 1500;
    let simple = 0;
    fc.assert(
      fc.property(text, (one) => {
        if (isSimple(one)) simple += 1;
      }),
      { numRuns: runs },
    );
    expect(simple).toBeGreaterThan(runs / 50);
  });
});
