import { describe, expect, test } from 'vitest';
import { applyOnto, withLiveState } from '#core/comparison/live-state.ts';
import { sameValue } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';

const isSame = (_key: string, a: Json, b: Json): boolean => sameValue(a, b);

const HEAD = { apiVersion: 'batch/v1', kind: 'CronJob' };

function live(spec: JsonObject, metadata: JsonObject = {}): KubeObject {
  return {
    ...HEAD,
    metadata: { name: 'a', namespace: 'harbor', uid: 'u', resourceVersion: '9', generation: 3, ...metadata },
    spec,
    status: { lastScheduleTime: '2026-06-09T03:00:00Z' },
  };
}

function manifest(spec: JsonObject, metadata: JsonObject = {}): KubeObject {
  return { ...HEAD, metadata: { name: 'a', namespace: 'harbor', ...metadata }, spec };
}

function applied(fields: JsonObject): JsonObject {
  return { managedFields: [{ manager: 'flux', operation: 'Apply', fieldsV1: fields }] };
}

describe('a manifest applied to what lives', () => {
  test.each<readonly [string, KubeObject, KubeObject, JsonObject]>([
    [
      'defaults of the API stay',
      live({ schedule: '0 3 * * *', suspend: false, concurrencyPolicy: 'Allow' }),
      manifest({ schedule: '0 4 * * *' }),
      { schedule: '0 4 * * *', suspend: false, concurrencyPolicy: 'Allow' },
    ],
    [
      'what nobody applied stays: suspended by hand',
      live({ schedule: '0 3 * * *', suspend: true }, applied({ 'f:spec': { 'f:schedule': {} } })),
      manifest({ schedule: '0 3 * * *' }),
      { schedule: '0 3 * * *', suspend: true },
    ],
    [
      'what was applied and is no longer declared goes',
      live(
        { schedule: '0 3 * * *', suspend: true },
        applied({ 'f:spec': { 'f:schedule': {}, 'f:suspend': {} } }),
      ),
      manifest({ schedule: '0 3 * * *' }),
      { schedule: '0 3 * * *' },
    ],
    [
      'the same by the annotation of kubectl apply',
      live(
        { schedule: '0 3 * * *', suspend: true },
        {
          annotations: {
            'kubectl.kubernetes.io/last-applied-configuration':
              '{"spec":{"schedule":"0 3 * * *","suspend":true}}',
          },
        },
      ),
      manifest({ schedule: '0 3 * * *' }),
      { schedule: '0 3 * * *' },
    ],
    [
      'an annotation that is no JSON claims nothing',
      live(
        { schedule: '0 3 * * *', suspend: true },
        { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{' } },
      ),
      manifest({ schedule: '0 3 * * *' }),
      { schedule: '0 3 * * *', suspend: true },
    ],
    [
      'items of a map list keep what the API filled in, and go when they are not declared',
      live({ containers: [{ name: 'b', image: 'x', imagePullPolicy: 'Always' }, { name: 'c' }] }),
      manifest({ containers: [{ name: 'b', image: 'y' }] }),
      { containers: [{ name: 'b', image: 'y', imagePullPolicy: 'Always' }] },
    ],
    [
      'in items of a map list what was applied and is no longer declared goes',
      live(
        { containers: [{ name: 'b', args: ['x'], tty: true }] },
        applied({
          'f:spec': { 'f:containers': { 'k:{"name":"b"}': { '.': {}, 'f:name': {}, 'f:args': {} } } },
        }),
      ),
      manifest({ containers: [{ name: 'b' }] }),
      { containers: [{ name: 'b', tty: true }] },
    ],
    [
      'there, too, by the annotation of kubectl apply',
      live(
        { containers: [{ name: 'b', args: ['x'], tty: true }] },
        {
          annotations: {
            'kubectl.kubernetes.io/last-applied-configuration':
              '{"spec":{"containers":[{"name":"a"},{"name":"b","args":["x"]}]}}',
          },
        },
      ),
      manifest({ containers: [{ name: 'b' }] }),
      { containers: [{ name: 'b', tty: true }] },
    ],
    ['a list of texts is replaced', live({ args: ['a', 'b'] }), manifest({ args: ['a'] }), { args: ['a'] }],
    [
      'null asks for what is there',
      live({ suspend: false }),
      manifest({ suspend: null }),
      { suspend: false },
    ],
    [
      'null where it was applied goes, as what is left out',
      live({ suspend: false }, applied({ 'f:spec': { 'f:suspend': {} } })),
      manifest({ suspend: null, zone: null }),
      {},
    ],
    [
      'items are told apart by the key that the API has of them',
      live(
        {
          mounts: [
            { at: '/a', of: 'v', readOnly: true, mode: 'x' },
            { at: '/b', of: 'v', readOnly: true },
          ],
        },
        applied({
          'f:spec': {
            'f:mounts': {
              'k:{"at":"/a"}': { '.': {}, 'f:at': {}, 'f:of': {}, 'f:readOnly': {} },
              'k:{"at":"/b"}': { '.': {}, 'f:at': {}, 'f:of': {} },
            },
          },
        }),
      ),
      manifest({
        mounts: [
          { at: '/b', of: 'v' },
          { at: '/a', of: 'v' },
        ],
      }),
      {
        mounts: [
          { at: '/b', of: 'v', readOnly: true },
          { at: '/a', of: 'v', mode: 'x' },
        ],
      },
    ],
    [
      'a part of the key that is left out is that of what is there',
      live(
        {
          ports: [
            { port: 53, protocol: 'TCP', name: 'a' },
            { port: 53, protocol: 'UDP', name: 'b' },
          ],
        },
        applied({
          'f:spec': {
            'f:ports': {
              'k:{"port":53,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} },
              'k:{"port":53,"protocol":"UDP"}': { '.': {}, 'f:name': {}, 'f:port': {}, 'f:protocol': {} },
            },
          },
        }),
      ),
      manifest({ ports: [{ port: 53 }, { port: 53, protocol: 'UDP' }] }),
      {
        ports: [
          { port: 53, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
      },
    ],
    [
      'by the key that other managers show, too, what kubectl apply knows of an item goes',
      live(
        { mounts: [{ at: '/a', of: 'v', readOnly: true, mode: 'x' }] },
        {
          managedFields: [
            {
              manager: 'kubectl',
              operation: 'Update',
              fieldsV1: { 'f:spec': { 'f:mounts': { '.': {}, 'k:{"at":"/a"}': { '.': {}, 'f:at': {} } } } },
            },
          ],
          annotations: {
            'kubectl.kubernetes.io/last-applied-configuration':
              '{"spec":{"mounts":[{"at":"/a","of":"v","readOnly":true}]}}',
          },
        },
      ),
      manifest({ mounts: [{ at: '/a', of: 'v' }] }),
      { mounts: [{ at: '/a', of: 'v', mode: 'x' }] },
    ],
    [
      'a mapping that is applied as one value is replaced',
      live({ selector: { a: '1', b: '2' } }, applied({ 'f:spec': { 'f:selector': {} } })),
      manifest({ selector: { a: '1' } }),
      { selector: { a: '1' } },
    ],
    [
      'an empty mapping that was applied keeps what the API filled in',
      live({ resources: { cpu: '1' } }, applied({ 'f:spec': { 'f:resources': {} } })),
      manifest({ resources: {} }),
      { resources: { cpu: '1' } },
    ],
    [
      'a mapping that was empty and has parts of others is no single value',
      live(
        { resources: { cpu: '1' } },
        {
          managedFields: [
            { manager: 'flux', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:resources': {} } } },
            {
              manager: 'it',
              operation: 'Update',
              fieldsV1: { 'f:spec': { 'f:resources': { 'f:cpu': {} } } },
            },
          ],
        },
      ),
      manifest({ resources: { memory: '1' } }),
      { resources: { cpu: '1', memory: '1' } },
    ],
  ])('%s', (_name, object, declared, spec) => {
    const merged = applyOnto(object, declared, isSame);
    expect(merged.spec).toEqual(spec);
    expect(merged.status).toEqual(object.status);
    expect(merged.metadata).toMatchObject({ uid: 'u', resourceVersion: '9', generation: 3 });
  });

  test('what is applied whole stays as it is stored where that means the same', () => {
    const withDefaults = { ref: { path: 'a', version: 'v1' }, rules: [{ of: 'a', is: 'True' }] };
    const object = live(withDefaults, applied({ 'f:spec': { 'f:ref': {}, 'f:rules': {} } }));
    const declared = manifest({ ref: { path: 'a' }, rules: [{ of: 'a' }] });
    const asked: [string, Json, Json][] = [];
    const merged = applyOnto(object, declared, (...values) => {
      asked.push(values);
      return true;
    });
    expect(merged.spec).toEqual(withDefaults);
    expect(asked).toEqual([
      ['ref', withDefaults.ref, { path: 'a' }],
      ['rules', withDefaults.rules, [{ of: 'a' }]],
    ]);
  });

  test('labels and annotations go by the same rule', () => {
    const object = live(
      {},
      {
        labels: { kept: '1', gone: '1' },
        ...applied({ 'f:metadata': { 'f:labels': { 'f:gone': {} } } }),
      },
    );
    expect(applyOnto(object, manifest({}, { labels: { fresh: '1' } }), isSame).metadata.labels).toEqual({
      kept: '1',
      fresh: '1',
    });
  });
});

describe('a manifest with the state of what lives', () => {
  test('says what the manifest says, and knows what only the API knows', () => {
    const joined = withLiveState(
      manifest({ schedule: '0 4 * * *' }, { labels: { a: 'b' } }),
      live(
        { schedule: '0 3 * * *', suspend: true },
        { labels: { c: 'd' }, creationTimestamp: '2026-01-01T00:00:00Z' },
      ),
    );
    expect(joined).toEqual({
      ...HEAD,
      metadata: {
        name: 'a',
        namespace: 'harbor',
        labels: { a: 'b' },
        uid: 'u',
        resourceVersion: '9',
        generation: 3,
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { schedule: '0 4 * * *' },
      status: { lastScheduleTime: '2026-06-09T03:00:00Z' },
    });
  });
});
