import { expect } from 'vitest';
import {
  API_VERSION,
  APPLY,
  type ApiCase,
  type ApiStep,
  applyStatus,
  createProbe,
  type Earlier,
  GROUP_PATH,
  JSON_PATCH,
  MERGE_PATCH,
  metadataOf,
  OTHER_UID,
  probe,
  probePath,
  readProbe,
  type Wanted,
} from './api-case.ts';

function applied(name: string, metadata: object, want: Wanted): ApiStep {
  return {
    method: 'PATCH',
    path: `${probePath(name)}?fieldManager=minutehand`,
    contentType: APPLY,
    body: { apiVersion: API_VERSION, kind: 'Probe', metadata: { name, ...metadata } },
    want,
  };
}

function patched(name: string, body: readonly object[], want?: Wanted): ApiStep {
  return {
    method: 'PATCH',
    path: `${probePath(name)}?fieldManager=minutehand`,
    contentType: JSON_PATCH,
    body,
    ...(want === undefined ? {} : { want }),
  };
}

function deleted(name: string, preconditions: object, want?: Wanted): ApiStep {
  return {
    method: 'DELETE',
    path: probePath(name),
    body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', preconditions },
    ...(want === undefined ? {} : { want }),
  };
}

function same(name: string): (earlier: Earlier) => ApiStep {
  return (earlier) => ({
    method: 'GET',
    path: probePath(name),
    want: { code: 200, body: { metadata: metadataOf(earlier, 0) } },
  });
}

const PLAINS = `${GROUP_PATH}/namespaces/default/plains`;
/** A JSON Patch is refused in the same words whatever was wrong with it. */
const UNPROCESSABLE: Wanted = {
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
};
const MARK = '/metadata/annotations/minutehand.dev~1mark';
const HELD = { finalizers: ['test.minutehand.dev/held'] };

function dryCreate(metadata: object): ApiStep {
  return {
    method: 'POST',
    path: `${probePath()}?dryRun=All`,
    body: probe('dry-create'),
    want: { code: 201, body: { metadata } },
  };
}

/** Rows about creates, patches and deletes of whole objects. */
export const OBJECT_CASES: readonly ApiCase[] = [
  {
    row: 'apply to a missing object, with uid in the body',
    steps: [
      () =>
        applied(
          'gone',
          { uid: OTHER_UID },
          {
            code: 409,
            reason: 'Conflict',
            message: `uid mismatch: the provided object specified uid ${OTHER_UID}, and no existing object was found`,
          },
        ),
      readProbe('gone', { code: 404, reason: 'NotFound' }),
    ],
  },
  {
    row: 'the same with only a resourceVersion in the body',
    steps: [
      () => applied('risen', { resourceVersion: '1' }, { code: 201, body: { metadata: { generation: 1 } } }),
      readProbe('risen'),
    ],
  },
  {
    row: 'apply with a key that stands twice, fieldValidation=Strict',
    steps: [
      createProbe('twice'),
      () => ({
        method: 'PATCH',
        path: `${probePath('twice')}?fieldManager=minutehand&fieldValidation=Strict`,
        contentType: APPLY,
        body: JSON.stringify(probe('twice')).replace('"spec":', '"spec":{},"spec":'),
        want: { code: 400, reason: 'BadRequest', message: 'key "spec" already set in map' },
      }),
    ],
  },
  {
    row: 'create of a name that is taken',
    steps: [
      createProbe('taken-name'),
      createProbe(
        'taken-name',
        {},
        {
          code: 409,
          reason: 'AlreadyExists',
          message: 'probes.test.minutehand.dev "taken-name" already exists',
          body: { details: { name: 'taken-name', group: 'test.minutehand.dev', kind: 'probes' } },
        },
      ),
      same('taken-name'),
    ],
  },
  {
    row: 'create of a name that is taken by an object that goes away',
    steps: [
      createProbe('leaving', { metadata: { name: 'leaving', ...HELD } }),
      () => deleted('leaving', {}),
      createProbe(
        'leaving',
        {},
        {
          code: 409,
          reason: 'AlreadyExists',
          message: 'object is being deleted',
        },
      ),
    ],
  },
  {
    row: 'create records its manager by Update, and sets what a server sets',
    steps: [
      createProbe(
        'made',
        { metadata: { name: 'made', uid: OTHER_UID, labels: { a: 'b' } } },
        {
          code: 201,
          body: {
            metadata: {
              name: 'made',
              namespace: 'default',
              generation: 1,
              creationTimestamp: expect.stringMatching(/^\d{4}-.*Z$/),
              uid: expect.not.stringContaining(OTHER_UID),
              managedFields: [
                expect.objectContaining({
                  manager: 'minutehand',
                  operation: 'Update',
                  fieldsType: 'FieldsV1',
                }),
              ],
            },
          },
        },
      ),
    ],
  },
  {
    row: 'create of a Probe with status: it is dropped, its kind has a status subresource',
    steps: [
      createProbe(
        'with-status',
        { status: { lastSlot: 'a' } },
        {
          code: 201,
          body: expect.not.objectContaining({ status: expect.anything() }),
        },
      ),
    ],
  },
  {
    row: 'create with status where the CRD has no status subresource',
    steps: [
      () => ({
        method: 'POST',
        path: PLAINS,
        body: { apiVersion: API_VERSION, kind: 'Plain', metadata: { name: 'a' }, status: { phase: 'Done' } },
        want: { code: 201, body: { status: { phase: 'Done' } } },
      }),
      () => ({
        method: 'PATCH',
        path: `${PLAINS}/a/status?fieldManager=minutehand`,
        contentType: APPLY,
        body: { apiVersion: API_VERSION, kind: 'Plain', metadata: { name: 'a' }, status: { phase: 'x' } },
        want: { code: 404, reason: 'NotFound' },
      }),
      () => ({ method: 'GET', path: `${PLAINS}/a/status`, want: { code: 404, reason: 'NotFound' } }),
    ],
  },
  {
    row: 'fieldValidation=Strict catches unknown fields on POST of a custom resource, Warn prunes them aloud',
    steps: [
      () => ({
        method: 'POST',
        path: `${probePath()}?fieldValidation=Strict`,
        body: probe('unknown-field', { spec: { schedule: '@hourly', jitter: '5m' } }),
        want: {
          code: 400,
          reason: 'BadRequest',
          message: 'strict decoding error: unknown field "spec.jitter"',
        },
      }),
      () => ({
        method: 'POST',
        path: `${probePath()}?fieldValidation=Warn`,
        body: probe('unknown-field', { spec: { schedule: '@hourly', jitter: '5m' } }),
        want: {
          code: 201,
          warning: '299 - "unknown field \\"spec.jitter\\""',
          body: { spec: { schedule: '@hourly' } },
        },
      }),
    ],
  },
  {
    row: 'create with a resourceVersion in the body',
    steps: [
      createProbe(
        'versioned',
        { metadata: { name: 'versioned', resourceVersion: '1' } },
        {
          code: 500,
          reason: null,
          message: 'resourceVersion should not be set on objects to be created',
        },
      ),
    ],
  },
  {
    row: 'create with a name that is none',
    steps: [
      createProbe(
        'A/b',
        {},
        { code: 422, reason: 'Invalid', message: 'metadata.name: Invalid value: "A/b"' },
      ),
      createProbe('', {}, { code: 422, reason: 'Invalid', message: 'name or generateName is required' }),
    ],
  },
  {
    row: 'create of another kind, or for another namespace, than the path says',
    steps: [
      createProbe(
        'stray',
        { kind: 'Plain' },
        {
          code: 422,
          reason: 'Invalid',
          message: 'kind: Invalid value: "Plain": must be Probe',
        },
      ),
      createProbe(
        'stray',
        { metadata: { name: 'stray', namespace: 'kube-system' } },
        {
          code: 400,
          reason: 'BadRequest',
          message: 'does not match the namespace sent on the request',
        },
      ),
    ],
  },
  {
    row: 'create in a namespace that is missing',
    steps: [
      () => ({
        method: 'POST',
        path: probePath('', 'nowhere'),
        body: probe('lost'),
        want: {
          code: 404,
          reason: 'NotFound',
          message: 'namespaces "nowhere" not found',
          body: { details: { name: 'nowhere', kind: 'namespaces' } },
        },
      }),
    ],
  },
  {
    row: 'create with dryRun=All answers with a uid and without a version, and creates nothing',
    steps: [
      () => dryCreate({ uid: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
      () => dryCreate(expect.not.objectContaining({ resourceVersion: expect.anything() })),
      readProbe('dry-create', { code: 404 }),
    ],
  },
  {
    row: 'JSON Patch with tests on uid and resourceVersion that hold',
    steps: [
      createProbe('tested'),
      (earlier) => {
        const { uid, resourceVersion } = metadataOf(earlier, 0);
        return patched(
          'tested',
          [
            { op: 'test', path: '/metadata/uid', value: uid },
            { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
            { op: 'add', path: '/metadata/annotations', value: {} },
            { op: 'add', path: MARK, value: 'a' },
          ],
          { code: 200, body: { metadata: { annotations: { 'minutehand.dev/mark': 'a' } } } },
        );
      },
      () =>
        patched('tested', [{ op: 'remove', path: MARK }], {
          code: 200,
          body: { metadata: expect.not.objectContaining({ annotations: expect.anything() }) },
        }),
    ],
  },
  {
    row: 'JSON Patch whose test fails is 422 Invalid, not a conflict, and changes nothing',
    steps: [
      createProbe('failed-test'),
      () =>
        patched(
          'failed-test',
          [
            { op: 'test', path: '/metadata/resourceVersion', value: '1' },
            { op: 'add', path: '/spec/suspend', value: true },
          ],
          UNPROCESSABLE,
        ),
      () => patched('failed-test', [{ op: 'test', path: '/metadata/uid', value: OTHER_UID }], UNPROCESSABLE),
      same('failed-test'),
    ],
  },
  {
    row: 'JSON Patch that adds to annotations which are not there, or removes what is not there',
    steps: [
      createProbe('no-annotations'),
      () => patched('no-annotations', [{ op: 'add', path: MARK, value: 'a' }], UNPROCESSABLE),
      () => patched('no-annotations', [{ op: 'remove', path: '/spec/suspend' }], UNPROCESSABLE),
      same('no-annotations'),
    ],
  },
  {
    row: 'JSON Patch that changes nothing leaves the resourceVersion',
    steps: [
      createProbe('unchanged'),
      () => patched('unchanged', [{ op: 'add', path: '/spec/schedule', value: '@hourly' }]),
      same('unchanged'),
    ],
  },
  {
    row: 'JSON Patch of a missing object',
    steps: [() => patched('not-there', [], { code: 404, reason: 'NotFound' })],
  },
  {
    row: 'merge patch with a stale resourceVersion',
    steps: [
      createProbe('merge-stale'),
      () => ({
        method: 'PATCH',
        path: probePath('merge-stale'),
        contentType: MERGE_PATCH,
        body: { metadata: { resourceVersion: '1' }, spec: { suspend: true } },
        want: { code: 409, reason: 'Conflict', message: 'object has been modified' },
      }),
    ],
  },
  {
    row: 'PUT without a resourceVersion, and with a stale one',
    steps: [
      createProbe('put'),
      () => ({
        method: 'PUT',
        path: probePath('put'),
        body: probe('put'),
        want: { code: 422, reason: 'Invalid', message: 'must be specified for an update' },
      }),
      () => ({
        method: 'PUT',
        path: probePath('put'),
        body: probe('put', { metadata: { name: 'put', resourceVersion: '1' } }),
        want: { code: 409, reason: 'Conflict', message: 'object has been modified' },
      }),
    ],
  },
  {
    row: 'delete with the uid and the resourceVersion that were read',
    steps: [
      createProbe('doomed'),
      (earlier) =>
        deleted('doomed', metadataOf(earlier, 0), {
          code: 200,
          body: {
            kind: 'Status',
            status: 'Success',
            details: {
              name: 'doomed',
              group: 'test.minutehand.dev',
              kind: 'probes',
              uid: metadataOf(earlier, 0).uid,
            },
          },
        }),
      readProbe('doomed', { code: 404, reason: 'NotFound' }),
    ],
  },
  {
    row: 'delete with a stale preconditions.resourceVersion',
    steps: [
      createProbe('changed'),
      () => applyStatus('changed', { phase: 'Done' }),
      (earlier) =>
        deleted('changed', metadataOf(earlier, 0), {
          code: 409,
          reason: 'Conflict',
          message: 'does not match the ResourceVersion in record',
        }),
      readProbe('changed', { code: 200, body: { status: { phase: 'Done' } } }),
    ],
  },
  {
    row: 'delete with the uid of another object',
    steps: [
      createProbe('anew'),
      () =>
        deleted(
          'anew',
          { uid: OTHER_UID },
          {
            code: 409,
            reason: 'Conflict',
            message: 'does not match the UID in record',
          },
        ),
      same('anew'),
    ],
  },
  {
    row: 'delete with dryRun=All in its body deletes nothing',
    steps: [
      createProbe('dry-delete'),
      () => ({
        method: 'DELETE',
        path: probePath('dry-delete'),
        body: { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] },
        want: { code: 200, body: { status: 'Success' } },
      }),
      same('dry-delete'),
    ],
  },
  {
    row: 'delete with dryRun=All in its query deletes nothing, unless options in its body do not say so',
    steps: [
      createProbe('half-dry-delete'),
      () => ({ method: 'DELETE', path: `${probePath('half-dry-delete')}?dryRun=All` }),
      same('half-dry-delete'),
      () => ({
        method: 'DELETE',
        path: `${probePath('half-dry-delete')}?dryRun=All`,
        body: { apiVersion: 'v1', kind: 'DeleteOptions' },
      }),
      readProbe('half-dry-delete', { code: 404, reason: 'NotFound' }),
    ],
  },
  {
    row: 'delete of what is missing',
    steps: [() => deleted('never', { uid: OTHER_UID }, { code: 404, reason: 'NotFound' })],
  },
  {
    row: 'delete of what a finalizer holds answers with the object, and again the same',
    steps: [
      createProbe('held', { metadata: { name: 'held', ...HELD } }),
      (earlier) =>
        deleted(
          'held',
          { uid: metadataOf(earlier, 0).uid },
          {
            code: 200,
            body: {
              kind: 'Probe',
              metadata: { ...HELD, generation: 2, deletionTimestamp: expect.stringMatching(/Z$/) },
            },
          },
        ),
      (earlier) =>
        deleted('held', {}, { code: 200, body: { kind: 'Probe', metadata: metadataOf(earlier, 1) } }),
      () => ({
        method: 'PATCH',
        path: probePath('held'),
        contentType: MERGE_PATCH,
        body: { metadata: { finalizers: null } },
      }),
      readProbe('held', { code: 404 }),
    ],
  },
];
