import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Labels } from '#api/label-requirement.ts';
import { parseLabelSelector, readLabelSelector } from '#api/label-selector.ts';
import type { Json } from '#core/object/object.ts';
import { issueLines } from '#test/api/issue-lines.ts';

const WEB: Labels = { app: 'web', tier: 'front', empty: '', size: '10' };

function matches(text: string, labels: Labels): boolean {
  const parsed = parseLabelSelector(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.matches(labels);
}

describe('the text after -l', () => {
  test.each([
    '',
    '  ',
    'app',
    'app=web',
    'app==web',
    ' app = web ',
    'app!=db',
    'other!=web',
    '!other',
    '! other',
    'app in (web)',
    'app in (db, web)',
    'app in(web)',
    'app notin (db)',
    'other notin (web)',
    'empty=',
    'empty==',
    'empty in ()',
    'empty in (a,,b)',
    'empty in (,a)',
    'empty in (a,)',
    'app=web,tier=front,!other',
    'app,empty=,tier in (front,back)',
    'size>9',
    'size<11',
  ])('%j matches', (text) => {
    expect(matches(text, WEB)).toBe(true);
  });

  test.each([
    'other',
    '!app',
    'app=db',
    'app!=web',
    'other=web',
    'other=',
    'app in (db)',
    'app notin (web,db)',
    'other in (web)',
    'app=web,tier=back',
    'size>10',
    'size<10',
    'app>1',
    'other<1',
  ])('%j does not match', (text) => {
    expect(matches(text, WEB)).toBe(false);
  });

  test('in and notin may be keys and values', () => {
    expect(matches('in in (in,notin),notin=in', { in: 'notin', notin: 'in' })).toBe(true);
  });

  test('names of every object’s own methods are labels like any other', () => {
    expect(matches('constructor', {})).toBe(false);
    expect(matches('toString!=x', {})).toBe(true);
  });

  test.each([
    ['app=web,', "found '', expected: identifier after ','"],
    [',app', "unable to parse requirement: found ',', expected: !, identifier, or 'end of string'"],
    ['app=web tier', "found 'tier', expected: ',' or 'end of string'"],
    ['app=(web)', "unable to parse requirement: found '(', expected: identifier"],
    ['app in web', "unable to parse requirement: found 'web', expected: '('"],
    ['app in (web', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['app in (a b)', "unable to parse requirement: found 'b', expected: ',' or ')'"],
    ['app like web', "unable to parse requirement: found 'like', expected: in, notin, =, ==, !=, >, <"],
    ['app===web', "unable to parse requirement: found '=', expected: identifier"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['!app=web', "found '=', expected: ',' or 'end of string'"],
    ['!!app', "unable to parse requirement: found '!', expected: identifier"],
    [
      'size>big',
      "unable to parse requirement: values[0]: for 'Gt', 'Lt' operators, the value must be an integer, not 'big'",
    ],
    [
      'size>9223372036854775808',
      "unable to parse requirement: values[0]: for 'Gt', 'Lt' operators, the value must be an integer, not '9223372036854775808'",
    ],
  ])('%j is refused', (text, problem) => {
    expect(parseLabelSelector(text)).toEqual({ problem });
  });

  test.each([
    ['-a', 'unable to parse requirement: key: Invalid value: "-a": name part must consist of'],
    ['a=-b', 'unable to parse requirement: values[0][a]: Invalid value: "-b": a valid label must be'],
    ['a in (b,-c)', 'unable to parse requirement: values[1][a]: Invalid value: "-c": a valid label must be'],
    ['a\u001b[2J', 'unable to parse requirement: key: Invalid value: "a\\x1b[2J": name part'],
  ])('%j is refused by the grammar of labels', (text, start) => {
    const parsed = parseLabelSelector(text);
    expect('problem' in parsed ? parsed.problem : '').toContain(start);
  });

  test('any text gives a matcher or a problem', () => {
    const piece = fc.constantFrom(
      'a',
      'in',
      'notin',
      '(',
      ')',
      ',',
      '!',
      '=',
      '==',
      '!=',
      '>',
      ' ',
      '1',
      '\u0000',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          const parsed = parseLabelSelector(text);
          if ('matches' in parsed) expect(typeof parsed.matches(WEB)).toBe('boolean');
          else expect(parsed.problem).not.toBe('');
        },
      ),
    );
  });
});

describe('the selector object', () => {
  test.each<[string, Json | undefined, boolean]>([
    ['an empty one', {}, true],
    ['an absent one', undefined, false],
    ['null', null, false],
    ['equal labels', { matchLabels: { app: 'web', tier: 'front' } }, true],
    ['one label that differs', { matchLabels: { app: 'web', tier: 'back' } }, false],
    ['In', { matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'web'] }] }, true],
    ['NotIn', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
    ['Exists', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
    ['DoesNotExist', { matchExpressions: [{ key: 'app', operator: 'DoesNotExist', values: null }] }, false],
    [
      'labels and expressions',
      { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'x', operator: 'Exists' }] },
      false,
    ],
  ])('%s', (_, selector, expected) => {
    const read = readLabelSelector(selector, ['spec', 'selector']);
    expect(read.issues).toEqual([]);
    expect(read.matches(WEB)).toBe(expected);
  });

  const FIRST = 'spec.selector.matchExpressions[0]';
  test.each<[string, Json, string]>([
    [
      'In without values',
      { key: 'a', operator: 'In' },
      `${FIRST}.values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
    ],
    [
      'Exists with values',
      { key: 'a', operator: 'Exists', values: ['b'] },
      `${FIRST}.values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
    ],
    [
      'an unknown operator',
      { key: 'a', operator: 'Equals' },
      `${FIRST}.operator: Invalid value: "Equals": not a valid selector operator`,
    ],
    ['no operator', { key: 'a' }, `${FIRST}.operator: Invalid value: "": not a valid selector operator`],
    [
      'a value that is a number',
      { key: 'a', operator: 'In', values: [1] },
      `${FIRST}.values[0]: Invalid value: 1: ${FIRST}.values[0] must be a string, not a number`,
    ],
    ['no key', { operator: 'Exists' }, `${FIRST}.key: Invalid value: "": name part must be non-empty`],
    [
      'a wrong value',
      { key: 'a', operator: 'In', values: ['b', '-'] },
      `${FIRST}.values[1]: Invalid value: "-": a valid label must be`,
    ],
    ['no object', 'a', `${FIRST}: Invalid value: "a": ${FIRST} must be an object, not a string`],
  ])('%s is refused, and then nothing matches', (_, expression, start) => {
    const read = readLabelSelector({ matchExpressions: [expression] }, ['spec', 'selector']);
    expect(issueLines(read.issues)).toEqual([expect.stringContaining(start)]);
    expect(read.matches(WEB)).toBe(false);
  });

  test('what is no selector at all is refused, and nothing matches', () => {
    const read = readLabelSelector([], ['spec', 'selector']);
    expect(issueLines(read.issues)).toEqual([
      'spec.selector: Invalid value: []: spec.selector must be an object, not a list',
    ]);
    expect(read.matches({})).toBe(false);
  });
});
