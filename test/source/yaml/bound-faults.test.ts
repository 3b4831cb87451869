import { describe, expect, it } from 'vitest';
import { Composer, Parser } from 'yaml';
import { boundFaults, TooManyFaults } from '#source/yaml/bound-faults.ts';

function compose(text: string, most: number): number {
  const composer = new Composer({ logLevel: 'silent', prettyErrors: false });
  boundFaults(composer, most);
  return [...composer.compose(new Parser().parse(text))].flatMap(({ errors, warnings }) => [
    ...errors,
    ...warnings,
  ]).length;
}

describe('the bound on faults', () => {
  it('ends a document that has more of them', () => {
    expect(() => compose(`[${','.repeat(50)}]`, 20)).toThrow(TooManyFaults);
  });

  it('lets a document have as many', () => {
    expect(compose('[a,,b,,]', 20)).toBe(2);
  });

  it('does not count warnings, nor keep them', () => {
    expect(compose(`[${'!x a, '.repeat(50)}]`, 20)).toBe(0);
  });
});
