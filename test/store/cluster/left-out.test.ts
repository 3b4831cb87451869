import { afterEach, describe, expect, test } from 'vitest';
import { BACKUP_JOB } from '#api/backups/resources.ts';
import type { FieldValue } from '#core/object/field-value.ts';
import type { KubeObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { gapIn, leftOutOf } from '#core/observed.ts';
import type { Reach } from '#store/cluster/list-type.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import type { Access } from '#test/fakes/api-server/options.ts';
import { openOn } from './support.ts';

const OVER: FieldValue = { path: ['status', 'phase'], value: 'Succeeded' };
const ALL: Reach = { namespaces: [], fallback: [] };
const NAMESPACES = ['blue', 'green', 'pink'];

function backupJob(namespace: string, phase: string): KubeObject {
  const metadata = { namespace, name: phase.toLowerCase(), uid: `${namespace}-${phase}` };
  return { apiVersion: apiVersionOf(BACKUP_JOB), kind: 'BackupJob', metadata, status: { phase } };
}

const OBJECTS = NAMESPACES.flatMap((namespace) =>
  ['Failed', 'Running', 'Succeeded'].map((phase) => backupJob(namespace, phase)),
);

let server: FakeApiServer | undefined;
afterEach(() => server?.close());

interface Scene {
  /** Whether the definition declares the field. */
  readonly selectable: boolean;
  readonly reach?: Reach;
  readonly isForbidden?: (access: Access) => boolean;
}

/** What is known of each namespace, and one line for each request. */
async function listed({ selectable, reach = ALL, isForbidden = () => false }: Scene) {
  const kind = { type: BACKUP_JOB, selectableFields: selectable ? ['.status.phase'] : [] };
  server = await fakeApiServer({ kinds: [kind], objects: OBJECTS, isForbidden, pageSize: 2 });
  const store = openOn(server.url, { reach });
  const listing = await store.list(BACKUP_JOB, { without: OVER });
  const lines = server.requests().map(({ path, query, status }) => {
    const [, namespace = 'all'] = /namespaces\/([^/]+)/.exec(path) ?? [];
    return `${namespace} ${query['fieldSelector'] ?? 'whole'} ${status}`;
  });
  // Lists have several pages.
  const asked = [...new Set(lines)];
  const diagnostics = store.diagnostics().map(({ code }) => code);
  await store.close();
  if (listing.state !== 'read') return { state: listing.state, asked, diagnostics };
  const phases = listing.objects.map(({ object: { metadata } }) => `${metadata.namespace}/${metadata.name}`);
  const whole = NAMESPACES.filter((namespace) => gapIn(listing, namespace) === undefined);
  return { phases, whole, without: leftOutOf(listing), asked, diagnostics };
}

function phasesOf(namespaces: readonly string[], ...phases: readonly string[]): readonly string[] {
  return namespaces.flatMap((namespace) => phases.map((phase) => `${namespace}/${phase}`));
}

const SELECTED = 'status.phase!=Succeeded';

describe('a list without what is over', () => {
  test('leaves it out where the definition lets it be selected, and says so', async () => {
    expect(await listed({ selectable: true })).toEqual({
      phases: phasesOf(NAMESPACES, 'failed', 'running'),
      whole: [],
      without: OVER,
      asked: [`all ${SELECTED} 200`],
      diagnostics: [],
    });
  });

  test('is the whole list elsewhere, which is nothing to tell', async () => {
    expect(await listed({ selectable: false })).toEqual({
      phases: phasesOf(NAMESPACES, 'failed', 'running', 'succeeded'),
      whole: NAMESPACES,
      without: undefined,
      asked: [`all ${SELECTED} 400`, 'all whole 200'],
      diagnostics: [],
    });
  });

  const isAcross = ({ namespace }: Access): boolean => namespace === '';
  test.each<[what: string, scene: Omit<Scene, 'selectable'>, first: readonly string[]]>([
    ['that are named', { reach: { namespaces: ['blue', 'green'], fallback: [] } }, []],
    [
      'that are read instead of all',
      { reach: { namespaces: [], fallback: ['blue', 'green'] }, isForbidden: isAcross },
      [`all ${SELECTED} 403`],
    ],
  ])('of namespaces %s asks only the first one in vain', async (_what, scene, first) => {
    expect(await listed({ ...scene, selectable: true })).toEqual({
      phases: phasesOf(['blue', 'green'], 'failed', 'running'),
      whole: [],
      without: OVER,
      asked: [...first, `blue ${SELECTED} 200`, `green ${SELECTED} 200`],
      diagnostics: [],
    });
    await server?.close();
    expect(await listed({ ...scene, selectable: false })).toEqual({
      phases: phasesOf(['blue', 'green'], 'failed', 'running', 'succeeded'),
      whole: ['blue', 'green'],
      without: undefined,
      asked: [...first, `blue ${SELECTED} 400`, 'blue whole 200', 'green whole 200'],
      diagnostics: [],
    });
  });

  test('is incomplete where one of the namespaces is forbidden', async () => {
    const scene = { reach: { namespaces: ['blue', 'green'], fallback: [] }, selectable: true };
    const found = await listed({ ...scene, isForbidden: ({ namespace }) => namespace === 'green' });
    expect(found).toMatchObject({
      phases: phasesOf(['blue'], 'failed', 'running'),
      whole: [],
      without: OVER,
    });
    expect(found.diagnostics).toEqual(['ListUnreadable']);
  });

  test('that was incomplete is told behind a list of other namespaces as well, until it is read', async () => {
    const kind = { type: BACKUP_JOB, selectableFields: ['.status.phase'] };
    server = await fakeApiServer({
      kinds: [kind],
      objects: OBJECTS,
      isForbidden: ({ namespace }) => namespace === 'green',
    });
    const store = openOn(server.url, { reach: { namespaces: ['blue', 'green'], fallback: [] } });
    const told = () => store.diagnostics().map(({ what }) => what.split(' could ', 1)[0]);
    await store.list(BACKUP_JOB, { without: OVER });
    await store.list(BACKUP_JOB, { namespaces: ['blue'] });
    expect(told()).toEqual(['backupjobs of namespace green']);
    server.configure({ isForbidden: () => false });
    await store.list(BACKUP_JOB, { namespaces: ['green'] });
    expect(told()).toEqual([]);
    await store.close();
  });

  test('cannot be read where the whole one cannot', async () => {
    const found = await listed({ selectable: false, isForbidden: () => true });
    expect(found).toMatchObject({ state: 'unreadable', asked: [`all ${SELECTED} 403`] });
  });
});
