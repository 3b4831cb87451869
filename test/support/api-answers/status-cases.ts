import { expect } from 'vitest';
import {
  API_VERSION,
  APPLY,
  type ApiCase,
  applyStatus,
  createProbe,
  MERGE_PATCH,
  metadataOf,
  OTHER_UID,
  probePath,
  readProbe,
  type Wanted,
} from './api-case.ts';

const MODIFIED = { code: 409, reason: 'Conflict', message: 'object has been modified' } as const;
const OURS = { manager: 'minutehand', operation: 'Apply', subresource: 'status' };

/** Another manager writes the status by Update, as controllers do. */
function otherWrites(name: string, status: object, want?: Wanted): ApiCase['steps'][number] {
  return () => ({
    method: 'PATCH',
    path: `${probePath(name)}/status?fieldManager=controller`,
    contentType: MERGE_PATCH,
    body: { status },
    ...(want === undefined ? {} : { want }),
  });
}

function undeclared(field: string): Wanted {
  return { code: 500, reason: null, message: `.status.${field}: field not declared in schema` };
}

/** Rows about writes to `/status`. */
export const STATUS_CASES: readonly ApiCase[] = [
  {
    row: 'apply to /status with the current resourceVersion',
    steps: [
      createProbe('current'),
      (earlier) =>
        applyStatus(
          'current',
          { lastSlot: 'a' },
          {
            metadata: metadataOf(earlier, 0),
            want: {
              code: 200,
              body: {
                status: { lastSlot: 'a' },
                metadata: {
                  managedFields: expect.arrayContaining([
                    expect.objectContaining({ ...OURS, fieldsV1: { 'f:status': { 'f:lastSlot': {} } } }),
                  ]),
                },
              },
            },
          },
        ),
    ],
  },
  {
    row: 'the same with a stale resourceVersion',
    steps: [
      createProbe('stale'),
      () => applyStatus('stale', { lastSlot: 'a' }),
      (earlier) =>
        applyStatus('stale', { lastSlot: 'b' }, { metadata: metadataOf(earlier, 0), want: MODIFIED }),
      readProbe('stale', { code: 200, body: { status: { lastSlot: 'a' } } }),
    ],
  },
  {
    row: 'the same apply again, nothing changed',
    steps: [
      createProbe('again'),
      () => applyStatus('again', { lastSlot: 'a' }),
      (earlier) =>
        applyStatus(
          'again',
          { lastSlot: 'a' },
          {
            metadata: metadataOf(earlier, 1),
            want: { code: 200, body: { metadata: metadataOf(earlier, 1) } },
          },
        ),
    ],
  },
  {
    row: 'another manager writes the same status field by Update, our apply over it without force and with it',
    steps: [
      createProbe('taken'),
      () => applyStatus('taken', { lastSlot: 'ours', nextSlot: 'ours' }),
      otherWrites(
        'taken',
        { lastSlot: 'theirs' },
        {
          code: 200,
          body: {
            metadata: {
              managedFields: expect.arrayContaining([
                expect.objectContaining({ ...OURS, fieldsV1: { 'f:status': { 'f:nextSlot': {} } } }),
                expect.objectContaining({
                  manager: 'controller',
                  operation: 'Update',
                  subresource: 'status',
                  fieldsV1: { 'f:status': { 'f:lastSlot': {} } },
                }),
              ]),
            },
          },
        },
      ),
      () =>
        applyStatus(
          'taken',
          { lastSlot: 'ours', nextSlot: 'ours' },
          {
            want: {
              code: 409,
              reason: 'Conflict',
              message: `conflict with "controller" with subresource "status" using ${API_VERSION}: .status.lastSlot`,
              body: { details: { causes: [{ reason: 'FieldManagerConflict', field: '.status.lastSlot' }] } },
            },
          },
        ),
      readProbe('taken', { code: 200, body: { status: { lastSlot: 'theirs', nextSlot: 'ours' } } }),
      () =>
        applyStatus(
          'taken',
          { lastSlot: 'ours' },
          {
            query: 'force=true',
            want: {
              code: 200,
              body: {
                metadata: {
                  managedFields: expect.arrayContaining([
                    expect.objectContaining({ ...OURS, fieldsV1: { 'f:status': { 'f:lastSlot': {} } } }),
                  ]),
                },
              },
            },
          },
        ),
      // The forced apply named one field fewer.
      readProbe('taken', { code: 200, body: { status: expect.not.objectContaining({ nextSlot: 'ours' }) } }),
    ],
  },
  {
    row: 'two fields of another manager: both are named',
    steps: [
      createProbe('taken-twice'),
      otherWrites('taken-twice', { lastSlot: 'theirs', nextSlot: 'theirs' }),
      () =>
        applyStatus(
          'taken-twice',
          { lastSlot: 'ours', nextSlot: 'ours' },
          {
            want: {
              code: 409,
              reason: 'Conflict',
              message: `Apply failed with 2 conflicts: conflicts with "controller" with subresource "status" using ${API_VERSION}:\n- .status.lastSlot\n- .status.nextSlot`,
              body: { details: { causes: [{ field: '.status.lastSlot' }, { field: '.status.nextSlot' }] } },
            },
          },
        ),
    ],
  },
  {
    row: 'a field of another manager and a stale resourceVersion: the field is told',
    steps: [
      createProbe('taken-stale'),
      otherWrites('taken-stale', { lastSlot: 'theirs' }),
      (earlier) =>
        applyStatus(
          'taken-stale',
          { lastSlot: 'ours' },
          {
            metadata: metadataOf(earlier, 0),
            want: { code: 409, reason: 'Conflict', message: 'Apply failed with 1 conflict' },
          },
        ),
    ],
  },
  {
    row: 'a field of another manager with the value that it has is shared, and stays when we let go of it',
    steps: [
      createProbe('shared'),
      otherWrites('shared', { phase: 'Ready' }),
      () => applyStatus('shared', { phase: 'Ready', lastSlot: 'a' }),
      () =>
        applyStatus(
          'shared',
          { lastSlot: 'a' },
          {
            want: { code: 200, body: { status: { phase: 'Ready', lastSlot: 'a' } } },
          },
        ),
    ],
  },
  {
    row: 'an object whose entries were cleared belongs to before-first-apply',
    steps: [
      createProbe('cleared'),
      otherWrites('cleared', { lastSlot: 'theirs' }),
      () => ({
        method: 'PATCH',
        path: probePath('cleared'),
        contentType: MERGE_PATCH,
        body: { metadata: { managedFields: [{}] } },
      }),
      () =>
        applyStatus(
          'cleared',
          { lastSlot: 'ours' },
          {
            want: { code: 409, reason: 'Conflict', message: 'conflict with "before-first-apply"' },
          },
        ),
      () => applyStatus('cleared', { nextSlot: 'ours' }),
    ],
  },
  ...['Ignore', 'Warn', 'Strict'].map((validation): ApiCase => {
    const name = `undeclared-${validation.toLowerCase()}`;
    return {
      row: `apply with a field that the installed CRD does not declare, fieldValidation=${validation}`,
      steps: [
        createProbe(name),
        () =>
          applyStatus(
            name,
            { lastSlot: 'a', jitter: 'b' },
            {
              query: `fieldValidation=${validation}`,
              want: undeclared('jitter'),
            },
          ),
        (earlier) => ({
          method: 'GET',
          path: probePath(name),
          want: { code: 200, body: { metadata: metadataOf(earlier, 0) } },
        }),
      ],
    };
  }),
  {
    row: 'an undeclared field and a stale resourceVersion: the field is told',
    steps: [
      createProbe('undeclared-stale'),
      () =>
        applyStatus(
          'undeclared-stale',
          { jitter: 'b' },
          {
            metadata: { resourceVersion: '1' },
            want: undeclared('jitter'),
          },
        ),
    ],
  },
  {
    row: 'the same by merge patch, fieldValidation=Warn',
    steps: [
      createProbe('merged'),
      () => ({
        method: 'PATCH',
        path: `${probePath('merged')}/status?fieldValidation=Warn`,
        contentType: MERGE_PATCH,
        body: { status: { lastSlot: 'a', jitter: 'b' } },
        want: {
          code: 200,
          warning: '299 - "unknown field \\"status.jitter\\""',
          body: { status: { lastSlot: 'a' } },
        },
      }),
      readProbe('merged', { code: 200, body: { status: expect.not.objectContaining({ jitter: 'b' }) } }),
    ],
  },
  {
    row: 'apply of status to the main endpoint',
    steps: [
      createProbe('main'),
      () => ({
        method: 'PATCH',
        path: `${probePath('main')}?fieldManager=minutehand`,
        contentType: APPLY,
        body: {
          apiVersion: API_VERSION,
          kind: 'Probe',
          metadata: { name: 'main' },
          status: { lastSlot: 'a' },
        },
        want: { code: 200, body: expect.not.objectContaining({ status: expect.anything() }) },
      }),
    ],
  },
  {
    row: 'apply to /status of a missing object',
    steps: [
      () => applyStatus('nowhere', { lastSlot: 'a' }, { want: { code: 404, reason: 'NotFound' } }),
      () =>
        applyStatus(
          'nowhere',
          { lastSlot: 'a' },
          {
            metadata: { uid: OTHER_UID },
            want: {
              code: 404,
              reason: 'NotFound',
              message: 'probes.test.minutehand.dev "nowhere" not found',
            },
          },
        ),
    ],
  },
  {
    row: 'apply to /status of a custom object with the uid of another one: only the version counts',
    steps: [
      createProbe('other-uid'),
      () => applyStatus('other-uid', { lastSlot: 'a' }, { metadata: { uid: OTHER_UID } }),
      readProbe('other-uid', { code: 200, body: { status: { lastSlot: 'a' } } }),
    ],
  },
  {
    row: 'apply without a field manager',
    steps: [
      createProbe('nobody'),
      () => ({
        method: 'PATCH',
        path: `${probePath('nobody')}/status`,
        contentType: APPLY,
        body: { apiVersion: API_VERSION, kind: 'Probe', metadata: { name: 'nobody' }, status: {} },
        want: { code: 422, reason: 'Invalid', message: 'fieldManager: Required value' },
      }),
    ],
  },
  {
    row: 'apply with managedFields in the body',
    steps: [
      createProbe('entries'),
      () =>
        applyStatus(
          'entries',
          {},
          {
            metadata: { managedFields: [] },
            want: { code: 400, reason: 'BadRequest', message: 'metadata.managedFields must be nil' },
          },
        ),
    ],
  },
  {
    row: 'apply to /status with dryRun=All answers as if it were done and writes nothing',
    steps: [
      createProbe('dry'),
      () =>
        applyStatus(
          'dry',
          { lastSlot: 'a' },
          {
            query: 'dryRun=All',
            want: { code: 200, body: { status: { lastSlot: 'a' } } },
          },
        ),
      (earlier) => ({
        method: 'GET',
        path: probePath('dry'),
        want: { code: 200, body: { metadata: metadataOf(earlier, 0) } },
      }),
    ],
  },
  {
    row: 'status writes of a custom object drop changed annotations silently',
    steps: [
      createProbe('annotated'),
      () => ({
        method: 'PATCH',
        path: `${probePath('annotated')}/status`,
        contentType: MERGE_PATCH,
        body: { metadata: { annotations: { mark: 'a' } }, status: { lastSlot: 'a' } },
        want: {
          code: 200,
          body: { metadata: expect.not.objectContaining({ annotations: expect.anything() }) },
        },
      }),
    ],
  },
  {
    row: 'a status write leaves the generation, a change of the spec raises it',
    steps: [
      createProbe('generation'),
      () =>
        applyStatus(
          'generation',
          { lastSlot: 'a' },
          { want: { code: 200, body: { metadata: { generation: 1 } } } },
        ),
      () => ({
        method: 'PATCH',
        path: probePath('generation'),
        contentType: MERGE_PATCH,
        body: { metadata: { labels: { a: 'b' } } },
        want: { code: 200, body: { metadata: { generation: 1 } } },
      }),
      () => ({
        method: 'PATCH',
        path: probePath('generation'),
        contentType: MERGE_PATCH,
        body: { spec: { suspend: true } },
        want: { code: 200, body: { metadata: { generation: 2 } } },
      }),
    ],
  },
];
