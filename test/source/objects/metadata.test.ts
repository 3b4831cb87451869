import { describe, expect, it } from 'vitest';
import { parseManifest } from '#source/parse.ts';

function read(metadata: unknown): { readonly metadata: unknown; readonly found: readonly string[] } {
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'A', metadata });
  const { objects, diagnostics } = parseManifest('f.json', text);
  return { metadata: objects[0]?.object.metadata, found: diagnostics.map(({ what }) => what) };
}

const OWNER = { apiVersion: 'v1', kind: 'B', name: 'b', uid: 'u' };

describe('metadata of an object', () => {
  it('is handed over as it came when every type is right', () => {
    const metadata = {
      name: 'a',
      namespace: 'n',
      uid: 'u',
      resourceVersion: '7',
      generation: 3,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: 'x', empty: '' },
      annotations: { 'a/b': '{}' },
      finalizers: ['f'],
      ownerReferences: [{ ...OWNER, controller: true, blockOwnerDeletion: false }],
      managedFields: [
        { manager: 'm', operation: 'Apply', time: '2026-01-01T00:00:00Z', fieldsV1: { 'f:spec': {} } },
      ],
      selfLink: '/x',
    };
    expect(read(metadata)).toEqual({ metadata, found: [] });
  });

  it('reads null as the API server does: absent, or an empty text in a map of texts', () => {
    const metadata = {
      name: 'a',
      creationTimestamp: null,
      labels: null,
      annotations: { note: null },
      ownerReferences: [{ ...OWNER, controller: null }],
      managedFields: [{ manager: 'm', subresource: null }],
    };
    expect(read(metadata)).toEqual({
      metadata: {
        name: 'a',
        annotations: { note: '' },
        ownerReferences: [OWNER],
        managedFields: [{ manager: 'm' }],
      },
      found: [],
    });
  });

  it('reads an empty uid or resourceVersion as none, as the API server does', () => {
    expect(read({ name: 'a', uid: '', resourceVersion: '' })).toEqual({ metadata: { name: 'a' }, found: [] });
  });

  it.each([
    ['no metadata', undefined, ['the object has no metadata']],
    ['metadata that is a list', [], ['the object has no metadata']],
    ['no name', {}, ['metadata.name is missing']],
    ['an empty name', { name: '' }, ['metadata.name is missing']],
    ['only generateName', { generateName: 'a-' }, ['the object has metadata.generateName and no name']],
    ['a name that is a number', { name: 12 }, ['metadata.name is the number 12, not text']],
    [
      'a namespace that is a boolean',
      { name: 'a', namespace: false },
      ['metadata.namespace is the boolean false, not text'],
    ],
    ['a uid that is a number', { name: 'a', uid: 1 }, ['metadata.uid is the number 1, not text']],
    [
      'a resourceVersion that is a number',
      { name: 'a', resourceVersion: 7 },
      ['metadata.resourceVersion is the number 7, not text'],
    ],
    [
      'a time that is a number',
      { name: 'a', creationTimestamp: 0 },
      ['metadata.creationTimestamp is the number 0, not text'],
    ],
    [
      'a deletion time that is a boolean',
      { name: 'a', deletionTimestamp: true },
      ['metadata.deletionTimestamp is the boolean true, not text'],
    ],
    [
      'a generation that is text',
      { name: 'a', generation: '1' },
      ['metadata.generation is the text "1", not a whole number'],
    ],
    [
      'a generation with a fraction',
      { name: 'a', generation: 1.5 },
      ['metadata.generation is the number 1.5, not a whole number'],
    ],
    [
      'labels that are a list',
      { name: 'a', labels: ['x'] },
      ['metadata.labels is a list, not a mapping of texts'],
    ],
    [
      'every wrong label and annotation',
      { name: 'a', labels: { x: 1, ok: 'z' }, annotations: { 'a/b': { c: 1 } } },
      ['metadata.labels.x is the number 1, not text', 'metadata.annotations.a/b is a mapping, not text'],
    ],
    [
      'a finalizer that is a number',
      { name: 'a', finalizers: ['x', 1] },
      ['metadata.finalizers.1 is the number 1, not text'],
    ],
    [
      'an owner without uid and with a flag as text',
      { name: 'a', ownerReferences: [{ apiVersion: 'v1', kind: 'B', name: 'b', controller: 'true' }] },
      [
        'metadata.ownerReferences.0.uid is missing, not text',
        'metadata.ownerReferences.0.controller is the text "true", not true or false',
      ],
    ],
    [
      'an owner that is null',
      { name: 'a', ownerReferences: [null] },
      ['metadata.ownerReferences.0 is null, not a mapping'],
    ],
    [
      'managed fields that are a mapping',
      { name: 'a', managedFields: {} },
      ['metadata.managedFields is a mapping, not a list'],
    ],
    [
      'field sets that are text',
      { name: 'a', managedFields: [{ manager: 1, fieldsV1: 'x' }] },
      [
        'metadata.managedFields.0.manager is the number 1, not text',
        'metadata.managedFields.0.fieldsV1 is the text "x", not a mapping',
      ],
    ],
  ])('%s leaves the object out', (_, metadata, found) => {
    expect(read(metadata)).toEqual({ metadata: undefined, found });
  });

  it('a fault has the place of the value, its path, and the object', () => {
    const text =
      'apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  labels:\n    app.kubernetes.io/version: 1.10\n';
    expect(parseManifest('f.yaml', text).diagnostics).toEqual([
      {
        code: 'InvalidMetadata',
        severity: 'error',
        place: { file: 'f.yaml', line: 6, column: 32, document: 1 },
        path: ['metadata', 'labels', 'app.kubernetes.io/version'],
        object: { group: '', kind: 'A', namespace: '', name: 'a' },
        what: 'metadata.labels.app.kubernetes.io/version is the number 1.1, not text',
        why: 'the API server refuses the object',
        fix: 'write the value in quotes',
      },
    ]);
  });
});
