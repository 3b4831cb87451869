import { describe, expect, it } from 'vitest';
import { parseManifest } from '#source/parse.ts';
import { parsed } from '#test/source/support.ts';

const A = '{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}';
const B = A.replace('"a"', '"b"');

describe('JSON', () => {
  it.each([
    ['one object', A],
    ['space around it', `\n\t ${A} \r\n`],
    ['a byte order mark', `\uFEFF${A}`],
    ['behind a marker', `---\n${A}\n`],
    [
      'every escape',
      A.replace('"name":"a"', '"name":"a","labels":{"x":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00"}'),
    ],
    ['a trailing comma, which YAML allows', A.replace('"}}', '"},}')],
    ['a comment, which YAML allows', `${A} # c\n`],
    ['a mapping of YAML', '{apiVersion: v1, kind: A, metadata: {name: a}}'],
  ])('%s is read', (_, text) => {
    expect(parsed(text)).toEqual({ objects: ['A a'], found: [], complete: true });
  });

  it('values behind one another are documents', () => {
    const { objects } = parseManifest('f.json', `${A}\n${B}${A.replace('"a"', '"c"')}`);
    expect(objects.map(({ placeOf }) => placeOf?.([]))).toEqual([
      { file: 'f.json', line: 1, column: 1, document: 1 },
      { file: 'f.json', line: 2, column: 1, document: 2 },
      { file: 'f.json', line: 2, column: B.length + 1, document: 3 },
    ]);
  });

  it('a fault leaves the documents before it', () => {
    expect(parsed(`${A}\n{"a":`, undefined, 'f.json')).toMatchObject({
      objects: ['A a'],
      found: ['error InvalidYaml f.json:2:6 (2)'],
    });
  });

  it.each([
    [
      'a key twice',
      '{"a":1,\n"a":2}',
      'error DuplicateKey f.json:2:1 (1)',
      'the key `a` stands twice in one mapping, on lines 1 and 2',
    ],
    [
      'a key twice by an escape',
      '{"a":1,"\\u0061":2}',
      'error DuplicateKey f.json:1:8 (1)',
      'the key `a` stands twice in one mapping, both on line 1',
    ],
    [
      'a missing comma',
      '{"a":1 "b":2}',
      'error InvalidYaml f.json:1:8 (1)',
      'not valid JSON: `,` or `}` expected, `"` found',
    ],
    [
      'a missing end',
      '{"a":[1',
      'error InvalidYaml f.json:1:8 (1)',
      'not valid JSON: `,` or `]` expected, the end found',
    ],
    [
      'a string without an end',
      '{"a":"x',
      'error InvalidYaml f.json:1:6 (1)',
      'not valid JSON: a string without its closing quote',
    ],
    [
      'a line break in a string',
      '{"a":"x\n"b}',
      'error InvalidYaml f.json:1:6 (1)',
      'not valid JSON: a string without its closing quote',
    ],
    [
      'half of a surrogate pair',
      '{"a":"\\ud800"}',
      'error InvalidYaml f.json:1:6 (1)',
      'not valid JSON: a string with half of a surrogate pair',
    ],
    [
      'a number beyond every number',
      '{"a":1e999,}"',
      'error InvalidYaml f.json:1:6 (1)',
      'not valid JSON: 1e999 is beyond every number',
    ],
  ])('%s is refused in its place', (_, text, found, what) => {
    expect(parsed(text, undefined, 'f.json').found).toEqual([found]);
    expect(parseManifest('f.json', text).diagnostics[0]?.what).toBe(what);
  });

  it('an integer that a double cannot hold is reported', () => {
    const text = A.replace('}}', '},"spec":[9007199254740992,9007199254740993,50551882429526250,1e300]}');
    const { objects, diagnostics } = parseManifest('f.json', text);
    expect(objects[0]?.object.spec).toEqual([9007199254740992, 9007199254740992, 50551882429526250, 1e300]);
    expect(diagnostics).toMatchObject([{ code: 'ImpreciseNumber', severity: 'warning', path: ['spec', 1] }]);
  });

  it('words that YAML would read as booleans are text', () => {
    expect(parsed(A.replace('"name":"a"', '"name":"a","labels":{"on":"no"}')).found).toEqual([]);
  });
});
