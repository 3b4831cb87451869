import { expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { withSpecField } from '#core/object/spec-field.ts';

function object(spec?: KubeObject['spec']): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'a', generation: 4 },
    ...(spec === undefined ? {} : { spec }),
  };
}

test('a field is set at any depth, its neighbours stay, and the generation is the next one', () => {
  const before = object({ a: 1, inner: { b: 2 } });
  expect(withSpecField(before, ['inner', 'suspend'], true)).toEqual({
    state: 'set',
    object: {
      ...before,
      metadata: { name: 'a', generation: 5 },
      spec: { a: 1, inner: { b: 2, suspend: true } },
    },
  });
  expect(before.spec).toEqual({ a: 1, inner: { b: 2 } });
});

test('the value that is there changes nothing; one of another type does', () => {
  expect(withSpecField(object({ suspend: true }), ['suspend'], true)).toEqual({ state: 'unchanged' });
  expect(withSpecField(object({ suspend: 'true' }), ['suspend'], true)).toMatchObject({
    object: { spec: { suspend: true } },
  });
});

test.each<[string, KubeObject['spec'], readonly string[], string]>([
  ['no spec', undefined, ['suspend'], '.spec'],
  ['a spec that is a list', [], ['suspend'], '.spec'],
  ['no holder', {}, ['inner', 'suspend'], '.spec.inner'],
  ['a holder that is a text', { inner: 'x' }, ['inner', 'suspend'], '.spec.inner'],
  ['a holder that every object inherits', {}, ['constructor', 'suspend'], '.spec.constructor'],
])('%s holds no field, and none is made up', (_what, spec, path, holder) => {
  expect(withSpecField(object(spec), path, true)).toEqual({ state: 'noHolder', holder });
});
