import { expect } from 'vitest';
import { API_VERSION, type ApiCase, type ApiStep, GROUP_PATH } from './api-case.ts';

const GROUP_ROOT = GROUP_PATH.slice(0, GROUP_PATH.lastIndexOf('/'));

function discovered(path: string, resources: readonly object[]): ApiStep {
  const some = expect.arrayContaining(
    resources.map((one) =>
      expect.objectContaining({ ...one, verbs: expect.arrayContaining(['get', 'patch']) }),
    ),
  );
  return { method: 'GET', path, want: { code: 200, body: { kind: 'APIResourceList', resources: some } } };
}

/** Rows about what a server says of the kinds that it serves. */
export const DISCOVERY_CASES: readonly ApiCase[] = [
  {
    row: 'discovery tells the versions of a group, and the kinds of a version with their plurals',
    steps: [
      () => ({
        method: 'GET',
        path: GROUP_ROOT,
        want: {
          code: 200,
          body: {
            kind: 'APIGroup',
            preferredVersion: { version: 'v1' },
            versions: [{ groupVersion: API_VERSION, version: 'v1' }],
          },
        },
      }),
      () => discovered(GROUP_PATH, [{ name: 'probes', kind: 'Probe', namespaced: true }]),
      () => discovered(GROUP_PATH, [{ name: 'probes/status', kind: 'Probe', namespaced: true }]),
      () => discovered('/apis/batch/v1', [{ name: 'jobs', kind: 'Job', namespaced: true }]),
    ],
  },
  {
    row: 'discovery of a group or a version that is not served is a 404 in plain text',
    steps: ['/apis/absent.minutehand.dev', '/apis/absent.minutehand.dev/v1', `${GROUP_ROOT}/v9`].map(
      (path) => () => ({ method: 'GET', path, want: { code: 404, text: '404 page not found\n' } }),
    ),
  },
];
