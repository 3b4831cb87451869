import { describe, expect, test } from 'vitest';
import { parseData } from '#source/parse-data.ts';

describe('data that is no object of the API', () => {
  test('comes with the places of its values', () => {
    const { value, placeOf, diagnostics } = parseData(
      'c.yaml',
      '# settings\ncronJob: manage\ndefaults:\n  grace: 90s\n',
    );
    expect({ value, diagnostics }).toEqual({
      value: { cronJob: 'manage', defaults: { grace: '90s' } },
      diagnostics: [],
    });
    expect(placeOf(['defaults', 'grace'])).toEqual({ file: 'c.yaml', line: 4, column: 10 });
    expect(placeOf(['defaults', 'dst'])).toEqual({ file: 'c.yaml', line: 3, column: 1 });
    expect(placeOf([])).toEqual({ file: 'c.yaml', line: 2, column: 1 });
  });

  test.each(['', '\n', '# nothing\n', '---\n'])('of %j is null', (text) => {
    expect(parseData('c.yaml', text)).toMatchObject({ value: null, diagnostics: [] });
  });

  test('may be JSON', () => {
    expect(parseData('c.json', '{"a": [1, true, null]}').value).toEqual({ a: [1, true, null] });
  });

  test('is YAML 1.2, where words and numbers of older versions are texts', () => {
    const { value, diagnostics } = parseData(
      'c.yaml',
      'cronJob: off\nnames: [n, Yes, on, 0777, 0o17, 1_000, 12:30:45, .5, TRUE, ~]\noff: x\n',
    );
    expect({ value, diagnostics }).toEqual({
      value: {
        cronJob: 'off',
        names: ['n', 'Yes', 'on', 777, 15, '1_000', '12:30:45', 0.5, true, null],
        off: 'x',
      },
      diagnostics: [],
    });
  });

  test('keeps to an explicit tag', () => {
    expect(parseData('c.yaml', 'a: !!bool off\nb: !!str false\n').value).toEqual({ a: false, b: 'false' });
  });

  test.each([
    ['a: [', 'InvalidYaml'],
    ['a: 1\na: 2\n', 'DuplicateKey'],
    ['a: *b\n', 'UnknownAlias'],
    ['a: 1\n---\nb: 2\n', 'InvalidYaml'],
    ['{"a": 1}{"b": 2}', 'InvalidYaml'],
    ['a: !!js/function x\n', 'UnknownTag'],
  ])('with a fault is reported: %j', (text, code) => {
    const { diagnostics } = parseData('c.yaml', text);
    expect(diagnostics).toEqual([
      expect.objectContaining({
        code,
        severity: 'error',
        place: expect.objectContaining({ file: 'c.yaml' }),
      }),
    ]);
  });
});
