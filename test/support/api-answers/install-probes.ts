import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceType } from '#core/object/resource.ts';
import { type Ask, GROUP_PATH, PLAIN, PROBE } from './api-case.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const TEXT = { type: 'string' };
const ENTRIES = {
  type: 'array',
  items: { type: 'object', required: ['type'], properties: { type: TEXT, status: TEXT } },
};

function definitionOf({ group, kind, plural, singular }: ResourceType, hasStatus: boolean): object {
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { schedule: TEXT, suspend: { type: 'boolean' } } },
      status: {
        type: 'object',
        properties: {
          lastSlot: TEXT,
          nextSlot: TEXT,
          failures: { type: 'integer' },
          phase: TEXT,
          conditions: {
            ...ENTRIES,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
          },
          marks: { ...ENTRIES, 'x-kubernetes-list-type': 'atomic' },
        },
      },
    },
  };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema },
    selectableFields: [{ jsonPath: '.status.phase' }],
    ...(hasStatus ? { subresources: { status: {} } } : {}),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [version],
    },
  };
}

const TRIES = 100;

/** Defines the two kinds on a server, and waits until it serves them. */
export async function installProbes(ask: Ask): Promise<void> {
  for (const type of [PROBE, PLAIN]) {
    const made = await ask({ method: 'POST', path: CRDS, body: definitionOf(type, type === PROBE) });
    if (made.code !== 201) throw new Error(made.text);
  }
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const paths = [PROBE, PLAIN].map(({ plural }) => `${GROUP_PATH}/${plural}`);
    const lists = await Promise.all(paths.map((path) => ask({ method: 'GET', path })));
    if (lists.every(({ code }) => code === 200)) return;
    await sleep(100);
  }
  throw new Error('the server does not serve what was defined');
}
