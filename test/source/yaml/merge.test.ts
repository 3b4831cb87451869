import { describe, expect, it } from 'vitest';
import { parseManifest } from '#source/parse.ts';

const HEAD = 'apiVersion: v1\nkind: A\nmetadata: {name: a}\nb: &b {k: 1, l: 1}\nc: &c {k: 2, m: 2}\n';

// What sigs.k8s.io/yaml 1.6 makes of the same lines.
describe('a merge key', () => {
  it.each([
    ['adds what the mapping lacks', '{<<: *b, o: 0}', { k: 1, l: 1, o: 0 }],
    ['gives way to a key of the mapping', '{<<: *b, k: 9}', { k: 9, l: 1 }],
    ['may stand behind keys that it does not set', '{o: 0, <<: *b}', { o: 0, k: 1, l: 1 }],
    ['lets the earlier of several mappings win', '{<<: [*b, *c]}', { k: 1, l: 1, m: 2 }],
    ['takes a mapping that is written in place', '{<<: {k: 3}}', { k: 3 }],
    ['takes what was merged before', '{<<: {<<: *b, o: 4}}', { k: 1, l: 1, o: 4 }],
    ['takes no mapping at all', '{<<: []}', {}],
    ['by its tag', '{!!merge "<<": *b}', { k: 1, l: 1 }],
    ['in quotes is a key like others', '{"<<": *b}', { '<<': { k: 1, l: 1 } }],
    ['as a value is text', '<<', '<<'],
  ])('%s', (_, text, spec) => {
    const { objects, diagnostics } = parseManifest('f.yaml', `${HEAD}spec: ${text}\n`);
    expect(diagnostics).toEqual([]);
    expect(objects[0]?.object.spec).toEqual(spec);
  });

  it.each(['1', 'text', '[1]', '[*b, []]'])('of `%s` is refused', (value) => {
    const [found] = parseManifest('f.yaml', `${HEAD}spec: {<<: ${value}}\n`).diagnostics;
    expect(found).toMatchObject({
      code: 'InvalidYaml',
      what: 'the merge key `<<` needs a mapping or a list of mappings',
    });
  });

  it('leaves the anchor as it was', () => {
    const { objects } = parseManifest('f.yaml', `${HEAD}spec: {<<: *b, k: 9}\n`);
    expect(objects[0]?.object['b']).toEqual({ k: 1, l: 1 });
  });
});
