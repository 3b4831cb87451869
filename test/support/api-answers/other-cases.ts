import { expect } from 'vitest';
import { isObject } from '#core/object/canonical.ts';
import {
  APPLY,
  type ApiCase,
  type ApiStep,
  createProbe,
  type Earlier,
  GROUP_PATH,
  JSON_PATCH,
  MERGE_PATCH,
  metadataOf,
  OTHER_UID,
  probePath,
  type Wanted,
} from './api-case.ts';

const EVENTS = '/apis/events.k8s.io/v1/namespaces/default/events';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';

function event(name: string, fields: object, want?: Wanted): ApiCase['steps'][number] {
  return () => ({
    method: 'POST',
    path: EVENTS,
    body: {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name },
      eventTime: '2026-06-10T03:00:10.000000Z',
      reportingController: 'minutehand',
      reportingInstance: 'minutehand-tick',
      action: 'Start',
      reason: 'Fired',
      type: 'Normal',
      note: 'slot 2026-06-10T03:00:00Z',
      regarding: { kind: 'Probe', namespace: 'default', name: 'a' },
      ...fields,
    },
    ...(want === undefined ? {} : { want }),
  });
}

function job(name: string, want?: Wanted): ApiCase['steps'][number] {
  const containers = [{ name: 'main', image: 'registry.example/tool:1' }];
  return () => ({
    method: 'POST',
    path: `${JOBS}?fieldManager=minutehand`,
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name },
      spec: { template: { spec: { restartPolicy: 'Never', containers } } },
    },
    ...(want === undefined ? {} : { want }),
  });
}

function listed(query: string, want: Wanted): ApiStep {
  return { method: 'GET', path: `${probePath()}?${query}`, want };
}

function finalizersOf(name: string, value: readonly string[], want: Wanted): ApiStep {
  const body = [{ op: 'replace', path: '/metadata/finalizers', value }];
  return { method: 'PATCH', path: probePath(name), contentType: JSON_PATCH, body, want };
}

function tokenOf(earlier: Earlier): string {
  const metadata = earlier.at(-1)?.['metadata'];
  return isObject(metadata) ? encodeURIComponent(String(metadata['continue'])) : '';
}

function tooLong(field: string, name: string): ApiCase {
  const problem = { code: 422, reason: 'Invalid', message: 'can have at most 128 characters' };
  return {
    row: `an event takes 128 characters of ${field} and no more`,
    steps: [
      event(`${name}-128`, { [field]: 'a'.repeat(128) }),
      event(`${name}-129`, { [field]: 'a'.repeat(129) }, problem),
    ],
  };
}

/** Rows about lists, events and types that a server is built with. */
export const OTHER_CASES: readonly ApiCase[] = [
  {
    row: 'a list of a custom kind that is not served is a 404 in plain text',
    steps: [
      () => ({
        method: 'GET',
        path: `${GROUP_PATH}/nothings`,
        want: { code: 404, text: '404 page not found\n' },
      }),
      () => ({
        method: 'GET',
        path: '/apis/absent.minutehand.dev/v1/probes',
        want: { code: 404, text: '404 page not found\n' },
      }),
    ],
  },
  {
    row: 'a list of a built-in group that is not served is a 404 Status',
    steps: [
      () => ({
        method: 'GET',
        path: '/apis/batch/v1/nothings',
        want: {
          code: 404,
          reason: 'NotFound',
          message: 'the server could not find the requested resource',
        },
      }),
    ],
  },
  {
    row: 'a list in a namespace that is missing is empty',
    steps: [
      () => ({
        method: 'GET',
        path: probePath('', 'nowhere'),
        want: { code: 200, body: { kind: 'ProbeList', items: [] } },
      }),
    ],
  },
  {
    row: 'a list names the kind of each custom object, but not that of a built-in one',
    steps: [
      createProbe('typed'),
      () =>
        listed('fieldSelector=metadata.name%3Dtyped', {
          code: 200,
          body: { kind: 'ProbeList', items: [{ kind: 'Probe', metadata: { name: 'typed' } }] },
        }),
      job('untyped'),
      () => ({
        method: 'GET',
        path: `${JOBS}?fieldSelector=metadata.name%3Duntyped`,
        want: {
          code: 200,
          body: {
            kind: 'JobList',
            apiVersion: 'batch/v1',
            items: [expect.not.objectContaining({ kind: 'Job', apiVersion: 'batch/v1' })],
          },
        },
      }),
    ],
  },
  {
    row: 'a list in pages tells how many are left, and the pages belong together',
    steps: [
      createProbe('page-a'),
      createProbe('page-b'),
      () =>
        listed('limit=1', { code: 200, body: { items: [{}], metadata: { continue: expect.any(String) } } }),
      (earlier) => {
        const metadata = earlier.at(-1)?.['metadata'];
        const version = isObject(metadata) ? metadata['resourceVersion'] : undefined;
        return listed(`continue=${tokenOf(earlier)}`, {
          code: 200,
          body: { metadata: { resourceVersion: version } },
        });
      },
    ],
  },
  {
    row: 'a list with a continue token that is none',
    steps: [() => listed('limit=1&continue=abc', { code: 400, reason: 'BadRequest' })],
  },
  {
    row: 'a field that the definition does not declare selectable',
    steps: [
      () =>
        listed('fieldSelector=status.lastSlot%3Da', {
          code: 400,
          reason: 'BadRequest',
          message: 'field label not supported: status.lastSlot',
        }),
    ],
  },
  {
    row: 'Jobs have fieldSelector=status.successful',
    steps: [
      () => ({
        method: 'GET',
        path: '/apis/batch/v1/jobs?fieldSelector=status.successful%3D7',
        want: { code: 200, body: { items: [] } },
      }),
    ],
  },
  {
    row: 'a list is selected by labels, all of them, and a label may be empty',
    steps: [
      createProbe('labelled-a', { metadata: { name: 'labelled-a', labels: { tier: 'one', part: '' } } }),
      createProbe('labelled-b', { metadata: { name: 'labelled-b', labels: { tier: 'one', part: 'b' } } }),
      () =>
        listed(`labelSelector=${encodeURIComponent('tier=one,part=')}`, {
          code: 200,
          body: { items: [{ metadata: { name: 'labelled-a' } }] },
        }),
      () => listed('labelSelector=tier%3Dtwo', { code: 200, body: { items: [] } }),
    ],
  },
  {
    row: 'a finalizer goes by a JSON Patch of the whole list, and an object under deletion with the last one',
    steps: [
      createProbe('held', { metadata: { name: 'held', finalizers: ['a.dev/one', 'a.dev/two'] } }),
      () => ({ method: 'DELETE', path: probePath('held') }),
      () =>
        finalizersOf('held', ['a.dev/two'], { code: 200, body: { metadata: { finalizers: ['a.dev/two'] } } }),
      () => finalizersOf('held', [], { code: 200, body: { kind: 'Probe', metadata: { name: 'held' } } }),
      () => ({ method: 'GET', path: probePath('held'), want: { code: 404, reason: 'NotFound' } }),
    ],
  },
  {
    row: 'events are selected by reportingController',
    steps: [
      event('selected', { reportingController: 'chosen.dev/one' }),
      () => ({
        method: 'GET',
        path: `${EVENTS}?fieldSelector=reportingController%3Dchosen.dev%2Fone`,
        want: { code: 200, body: { items: [{ metadata: { name: 'selected' } }] } },
      }),
    ],
  },
  tooLong('action', 'long-action'),
  tooLong('reason', 'long-reason'),
  tooLong('reportingInstance', 'long-instance'),
  {
    row: 'an event takes 1,024 bytes of a note and no more',
    steps: [
      event('note-1024', { note: 'a'.repeat(1024) }),
      event('note-1025', { note: 'a'.repeat(1025) }, { code: 422, reason: 'Invalid', message: 'message:' }),
      event('note-wide', { note: 'ä'.repeat(513) }, { code: 422, reason: 'Invalid', message: 'message:' }),
    ],
  },
  {
    row: 'an event has a time of exactly six digits',
    steps: [
      event('time-0', { eventTime: '2026-06-10T03:00:10Z' }, { code: 400, reason: 'BadRequest' }),
      event('time-3', { eventTime: '2026-06-10T03:00:10.000Z' }, { code: 400, reason: 'BadRequest' }),
      event(
        'time-none',
        { eventTime: undefined },
        { code: 422, reason: 'Invalid', message: 'eventTime: Required value' },
      ),
    ],
  },
  {
    row: 'an event of an object without a namespace lies in default',
    steps: [
      event('of-cluster', { regarding: { kind: 'Probe', name: 'a' } }),
      () => ({
        method: 'POST',
        path: '/apis/events.k8s.io/v1/namespaces/kube-public/events',
        body: {
          apiVersion: 'events.k8s.io/v1',
          kind: 'Event',
          metadata: { name: 'astray' },
          eventTime: '2026-06-10T03:00:10.000000Z',
          reportingController: 'minutehand',
          reportingInstance: 'minutehand-tick',
          action: 'Start',
          reason: 'Fired',
          type: 'Normal',
          regarding: { kind: 'Probe', name: 'a' },
        },
        want: { code: 422, reason: 'Invalid', message: 'involvedObject.namespace' },
      }),
    ],
  },
  {
    row: 'status writes of a built-in Job keep changed annotations',
    steps: [
      job('annotated'),
      () => ({
        method: 'PATCH',
        path: `${JOBS}/annotated/status`,
        contentType: MERGE_PATCH,
        body: { metadata: { annotations: { mark: 'a' } }, status: { failed: 1 } },
        want: { code: 200, body: { metadata: { annotations: { mark: 'a' } } } },
      }),
    ],
  },
  {
    row: 'apply to /status of a built-in Job with the uid of another one: the uid may not change',
    steps: [
      job('other-uid'),
      (earlier) => ({
        method: 'PATCH',
        path: `${JOBS}/other-uid/status?fieldManager=minutehand`,
        contentType: APPLY,
        body: {
          apiVersion: 'batch/v1',
          kind: 'Job',
          metadata: {
            name: 'other-uid',
            uid: OTHER_UID,
            resourceVersion: metadataOf(earlier, 0).resourceVersion,
          },
          status: { active: 1 },
        },
        want: { code: 422, reason: 'Invalid', message: 'metadata.uid: Invalid value' },
      }),
    ],
  },
  {
    row: 'the name of a Job has at most 63 characters',
    steps: [
      job('j'.repeat(63)),
      job('j'.repeat(64), { code: 422, reason: 'Invalid', message: 'must be no more than 63' }),
    ],
  },
];
