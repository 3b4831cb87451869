import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';
import { applyOwnedStatus } from '#store/directory/owned-status.ts';
import { nightly, withMetadata } from '#test/store/directory/support.ts';

const READY = { type: 'Ready', status: 'True' };
const SYNCED = { type: 'Synced', status: 'True' };

function ownedBy(
  manager: string,
  fields: JsonObject,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  return { manager, operation: 'Update', subresource: 'status', fieldsV1: { 'f:status': fields }, ...more };
}

function object(status: JsonObject, ...managedFields: ManagedFieldsEntry[]): KubeObject {
  return { ...withMetadata(nightly(), { managedFields }), status };
}

const OURS = { operation: 'Apply' } as const;

describe('applying a set of status fields', () => {
  interface Case {
    readonly name: string;
    readonly before: KubeObject;
    readonly fields: JsonObject;
    /** The status afterwards, `unchanged`, or the field in conflict. */
    readonly want: JsonObject | string;
  }
  const ready = { 'k:{"type":"Ready"}': { '.': {}, 'f:status': {} } };
  const cases: readonly Case[] = [
    { name: 'takes a field that nobody owns', before: object({ a: 1 }), fields: { a: 2 }, want: { a: 2 } },
    {
      name: 'leaves a field that nobody owns',
      before: object({ a: 1 }),
      fields: { b: 2 },
      want: { a: 1, b: 2 },
    },
    {
      name: 'replaces an own field',
      before: object({ a: 1 }, ownedBy('minutehand', { 'f:a': {} }, OURS)),
      fields: { a: 2 },
      want: { a: 2 },
    },
    {
      name: 'removes an own field',
      before: object({ a: 1, b: 1 }, ownedBy('minutehand', { 'f:a': {}, 'f:b': {} }, OURS)),
      fields: { a: 1 },
      want: { a: 1 },
    },
    {
      name: 'removes the last own field',
      before: object({ a: 1 }, ownedBy('minutehand', { 'f:a': {} }, OURS)),
      fields: {},
      want: {},
    },
    {
      name: 'is unchanged',
      before: object({ a: { c: 1, b: 2 } }, ownedBy('minutehand', { 'f:a': {} }, OURS)),
      fields: { a: { b: 2, c: 1 } },
      want: 'unchanged',
    },
    { name: 'of nothing to nothing is unchanged', before: nightly(), fields: {}, want: 'unchanged' },
    {
      name: 'is refused for another value of another manager',
      before: object({ a: 1 }, ownedBy('kubectl', { 'f:a': {} })),
      fields: { a: 2 },
      want: '.status.a of kubectl',
    },
    {
      name: 'is refused for what another Apply owns',
      before: object({ a: 1 }, ownedBy('argocd', { 'f:a': {} }, OURS)),
      fields: { a: 2 },
      want: '.status.a of argocd',
    },
    {
      name: 'is refused for what our name owns by Update',
      before: object({ a: 1 }, ownedBy('minutehand', { 'f:a': {} })),
      fields: { a: 2 },
      want: '.status.a of minutehand',
    },
    {
      name: 'is refused for what is owned without a subresource',
      before: object(
        { a: 1 },
        { manager: 'old', operation: 'Update', fieldsV1: { 'f:status': { 'f:a': {} } } },
      ),
      fields: { a: 2 },
      want: '.status.a of old',
    },
    {
      name: 'is refused for an owner without a name',
      before: object({ a: 1 }, { operation: 'Update', fieldsV1: { 'f:status': { 'f:a': {} } } }),
      fields: { a: 2 },
      want: '.status.a of unknown',
    },
    {
      name: 'is refused for a removed value of another manager',
      before: object({}, ownedBy('kubectl', { 'f:a': {} })),
      fields: { a: 2 },
      want: '.status.a of kubectl',
    },
    {
      name: 'is refused for a changed list item of another manager',
      before: object({ conditions: [READY] }, ownedBy('kubectl', { 'f:conditions': ready })),
      fields: { conditions: [{ ...READY, status: 'False' }] },
      want: '.status.conditions of kubectl',
    },
    {
      name: 'is refused for a dropped list item of another manager',
      before: object({ conditions: [READY] }, ownedBy('kubectl', { 'f:conditions': ready })),
      fields: { conditions: [SYNCED] },
      want: '.status.conditions of kubectl',
    },
    {
      name: 'adds a list item beside that of another manager',
      before: object({ conditions: [READY] }, ownedBy('kubectl', { 'f:conditions': ready })),
      fields: { conditions: [READY, SYNCED] },
      want: { conditions: [READY, SYNCED] },
    },
    {
      name: 'is refused for a whole list of another manager',
      before: object({ conditions: [READY] }, ownedBy('kubectl', { 'f:conditions': {} })),
      fields: { conditions: [READY, SYNCED] },
      want: '.status.conditions of kubectl',
    },
    {
      name: 'is refused for a changed member of another manager',
      before: object({ a: { b: 1 } }, ownedBy('kubectl', { 'f:a': { 'f:b': {} } })),
      fields: { a: { b: 2 } },
      want: '.status.a of kubectl',
    },
    {
      name: 'adds a member beside that of another manager',
      before: object({ a: { b: 1 } }, ownedBy('kubectl', { 'f:a': { 'f:b': {} } })),
      fields: { a: { b: 1, c: 2 } },
      want: { a: { b: 1, c: 2 } },
    },
    {
      name: 'is refused for a dropped set value of another manager',
      before: object({ a: ['x', 'y'] }, ownedBy('kubectl', { 'f:a': { 'v:"x"': {} } })),
      fields: { a: ['y'] },
      want: '.status.a of kubectl',
    },
    {
      name: 'keeps a set value of another manager',
      before: object({ a: ['x'] }, ownedBy('kubectl', { 'f:a': { 'v:"x"': {} } })),
      fields: { a: ['y', 'x'] },
      want: { a: ['y', 'x'] },
    },
    {
      name: 'ignores who owns the spec',
      before: object(
        { a: 1 },
        { manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:spec': { 'f:a': {} } } },
      ),
      fields: { a: 2 },
      want: { a: 2 },
    },
    {
      name: 'replaces a status that is no object',
      before: { ...nightly(), status: 'broken' },
      fields: { a: 1 },
      want: { a: 1 },
    },
  ];

  test.each(cases)('$name', ({ before, fields, want }) => {
    const result = applyOwnedStatus(before, fields);
    if (result.state === 'applied') expect(result.object.status ?? {}).toEqual(want);
    else
      expect(result.state === 'unchanged' ? 'unchanged' : `${result.field} of ${result.manager}`).toBe(want);
  });

  test('writes one entry of ours, whose bytes do not depend on time', () => {
    const others = [
      ownedBy('a', { 'f:x': {} }),
      ownedBy('minutehand', { 'f:old': {} }, OURS),
      ownedBy('b', { 'f:y': {} }),
    ];
    const result = applyOwnedStatus(object({ old: 1 }, ...others), { now: 1 });
    const [first, , last] = others;
    const entry = {
      manager: 'minutehand',
      operation: 'Apply',
      subresource: 'status',
      fieldsV1: { 'f:status': { 'f:now': {} } },
    };
    expect(result.state === 'applied' ? result.object.metadata.managedFields : []).toEqual([
      first,
      entry,
      last,
    ]);
  });

  test('gives up ownership with the last field', () => {
    const result = applyOwnedStatus(object({ a: 1 }, ownedBy('minutehand', { 'f:a': {} }, OURS)), {});
    expect(result.state === 'applied' ? result.object.metadata : {}).not.toHaveProperty('managedFields');
  });
});
