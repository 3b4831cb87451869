import { describe, expect, test } from 'vitest';
import { type FlagForms, spellOut } from '#cli/argv.ts';

const FORMS: FlagForms = {
  switches: new Set(['recursive', 'all-namespaces']),
  letters: new Map([
    ['f', 'filename'],
    ['R', 'recursive'],
    ['A', 'all-namespaces'],
    ['o', 'output'],
  ]),
};

const ROWS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['a value joined to its letter', ['plan', '-ojson'], ['plan', '--output=json']],
  ['a value joined by an equals sign', ['-o=json'], ['--output=json']],
  ['a value of its own', ['-o', 'json'], ['--output', 'json']],
  ['switches and a value in one word', ['-RAfdir'], ['--recursive', '--all-namespaces', '--filename=dir']],
  ['switches, then a value of its own', ['-Rf', 'dir'], ['--recursive', '--filename', 'dir']],
  ['a value that holds an equals sign', ['-fa=b'], ['--filename=a=b']],
  ['an empty value', ['--now='], ['--now', '']],
  ['a value with a line break', ['--state=a\nb'], ['--state', 'a\nb']],
  ['a long flag with a value', ['--output=yaml'], ['--output=yaml']],
  ['standard input', ['-f', '-'], ['--filename', '-']],
  ['a number below zero', ['--max-creates', '-1'], ['--max-creates', '-1']],
  ['an unknown letter', ['-xf'], ['-x']],
  ['everything behind two dashes', ['-R', '--', '-ojson'], ['--recursive', '--', '-ojson']],
  ['words', ['explain', 'cj/a=b', ''], ['explain', 'cj/a=b', '']],
];

describe('a command line is spelled out as kubectl reads it', () => {
  test.each(ROWS)('%s', (_name, argv, wanted) => {
    expect(spellOut(argv, FORMS)).toEqual(wanted);
  });
});
