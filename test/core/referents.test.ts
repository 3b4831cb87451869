import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { type Listing, typeId } from '#core/observed.ts';
import { observedOf, referentsOf } from '#core/referents.ts';

const TYPE: ResourceType = {
  group: 'test.dev',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  shortNames: [],
  namespaced: true,
};

function thing(name: string, namespace = 'a'): KubeObject {
  return { apiVersion: 'test.dev/v1', kind: 'Thing', metadata: { name, namespace } };
}

function given(listing: Listing | undefined): ReturnType<typeof referentsOf> {
  return referentsOf(new Map(listing === undefined ? [] : [[typeId(TYPE), listing]]));
}

describe('referents', () => {
  const read = given({
    state: 'read',
    objects: [thing('one'), thing('two', 'b')].map((object) => ({ object })),
    incomplete: new Map([['c', 'a file is damaged']]),
    unreadable: [{ source: { object: thing('odd') }, reason: 'its state cannot be read' }],
  });

  test.each([
    ['one that exists', 'a', 'one', 'found'],
    ['a namesake elsewhere', 'b', 'one', 'missing'],
    ['one that nobody knows', 'a', 'other', 'missing'],
    ['one of a namespace that is not all known', 'c', 'other', 'unreadable'],
    ['one of which too little is known', 'a', 'odd', 'unreadable'],
    ['a name such as __proto__', 'a', '__proto__', 'missing'],
  ])('%s', (_what, namespace, name, state) => {
    expect(read.find(TYPE, namespace, name).state).toBe(state);
  });

  test('of a namespace come all, or why they are not known', () => {
    expect(read.inNamespace(TYPE, 'a')).toMatchObject({
      state: 'read',
      objects: [{ metadata: { name: 'one' } }],
    });
    expect(read.inNamespace(TYPE, 'empty')).toEqual({ state: 'read', objects: [] });
    expect(read.inNamespace(TYPE, 'c')).toEqual({ state: 'unreadable', reason: 'a file is damaged' });
  });

  test('of a list that broke off or is not served are unreadable, of one that nobody asked for missing', () => {
    const broken = given({ state: 'unreadable', reason: 'timeout' });
    expect(broken.find(TYPE, 'a', 'one')).toEqual({ state: 'unreadable', reason: 'timeout' });
    expect(broken.inNamespace(TYPE, 'a')).toEqual({ state: 'unreadable', reason: 'timeout' });
    expect(given(undefined).find(TYPE, 'a', 'one')).toEqual({ state: 'missing' });
    expect(given(undefined).inNamespace(TYPE, 'a')).toEqual({ state: 'read', objects: [] });
    // Its objects may be there in a version that is.
    const reason = 'things are not served here';
    expect(given({ state: 'absent' }).inNamespace(TYPE, 'a')).toEqual({ state: 'unreadable', reason });
  });

  test('of manifests alone are what the manifests hold', () => {
    const referents = referentsOf(observedOf([{ object: thing('one') }]));
    expect(referents.find(TYPE, 'a', 'one').state).toBe('found');
    expect(referents.find(TYPE, 'a', 'two').state).toBe('missing');
  });
});
