import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Issue } from '#api/issue.ts';
import { checkJobSpec, checkJobTemplate } from '#api/job-template.ts';
import { checkJobUpdate } from '#api/job-update.ts';
import { readLabelSelector } from '#api/label-selector.ts';
import { checkPodTemplate } from '#api/pod-template.ts';
import { quantityProblem } from '#api/quantity.ts';
import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, JsonObject, KubeObject } from '#core/object/object.ts';

const FULL: JsonObject = {
  metadata: { labels: { app: 'a' }, annotations: { note: 'b' } },
  spec: {
    parallelism: 2,
    completions: 3,
    completionMode: 'Indexed',
    backoffLimitPerIndex: 1,
    maxFailedIndexes: 2,
    activeDeadlineSeconds: 60,
    managedBy: 'minutehand.dev/job',
    podReplacementPolicy: 'Failed',
    podFailurePolicy: {
      rules: [
        { action: 'FailJob', onExitCodes: { containerName: 'c', operator: 'In', values: [1, 2] } },
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      ],
    },
    successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] },
    template: {
      metadata: { labels: { app: 'a' } },
      spec: {
        restartPolicy: 'Never',
        nodeSelector: { disk: 'ssd' },
        volumes: [{ name: 'v' }],
        initContainers: [{ name: 'i', image: 'x', command: ['a'] }],
        containers: [
          {
            name: 'c',
            image: 'x',
            args: ['a'],
            env: [
              { name: 'A', value: 'b' },
              { name: 'B', valueFrom: { fieldRef: { fieldPath: 'x' } } },
            ],
            resources: { requests: { cpu: 1, memory: '1Gi' }, limits: { memory: '2Gi' } },
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
          },
        ],
      },
    },
  },
};

function pathsOf(value: Json, path: FieldPath = []): FieldPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

function replaced(value: Json, path: FieldPath, replacement: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  if (Array.isArray(value)) return value.with(Number(key), replaced(value[Number(key)], rest, replacement));
  const object = value as JsonObject;
  return { ...object, [key]: replaced(object[key] ?? null, rest, replacement) };
}

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json);
const odd = fc.constantFrom<Json>(null, '', 0, -1, 1.5, 1e300, [], {}, [null], '\u001b[0m', '\ud800', true);
const mutated = fc
  .record({ path: fc.constantFrom(...pathsOf(FULL)), value: fc.oneof(json, odd) })
  .map(({ path, value }) => replaced(FULL, path, value));

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/;

function expectSound(issues: readonly Issue[]): void {
  for (const issue of issues) {
    expect(issue.message).toMatch(
      /^(Required|Invalid|Unsupported|Duplicate) value|^Forbidden|^Too (long|many)/,
    );
    expect(issue.message).not.toMatch(CONTROL);
    expect(issue.message.length).toBeLessThan(1500);
  }
}

test('the value that the others are made from is valid', () => {
  expect(checkJobTemplate(FULL, [])).toEqual([]);
});

describe('any JSON gives issues and never an exception', () => {
  test('in place of a whole template', () => {
    fc.assert(
      fc.property(json, (value) => {
        expectSound(checkJobTemplate(value, ['spec', 'jobTemplate']));
        expectSound(checkJobSpec(value, ['spec'], { jobName: 'a' }));
        expectSound(checkPodTemplate(value, ['template']));
        expectSound(readLabelSelector(value, ['selector']).issues);
        quantityProblem(value);
      }),
      { numRuns: 500 },
    );
  });

  test('in place of what becomes of a Job, or of what it was', () => {
    const job = (template: Json): KubeObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a' },
      ...(isObject(template) && template.spec !== undefined ? { spec: template.spec } : { spec: template }),
    });
    fc.assert(
      fc.property(mutated, (value) => {
        expectSound(checkJobUpdate(job(FULL), job(value)));
        expectSound(checkJobUpdate(job(value), job(FULL)));
        expect(checkJobUpdate(job(value), job(value))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('in place of any part of a valid template', () => {
    fc.assert(
      fc.property(mutated, (value) => expectSound(checkJobTemplate(value, ['spec', 'jobTemplate']))),
      { numRuns: 2000 },
    );
  });

  test('in place of any part of a selector', () => {
    const full = { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] };
    const selector = fc
      .record({ path: fc.constantFrom(...pathsOf(full)), value: fc.oneof(json, odd) })
      .map(({ path, value }) => replaced(full, path, value));
    fc.assert(fc.property(selector, (value) => expectSound(readLabelSelector(value, []).issues)));
  });
});

test('null in place of an optional part is the same as leaving it out', () => {
  const spec = FULL.spec as JsonObject;
  for (const key of Object.keys(spec)) {
    const { [key]: _, ...without } = spec;
    const nulled = { ...FULL, spec: { ...spec, [key]: null } };
    expect(checkJobTemplate(nulled, [])).toEqual(checkJobTemplate({ ...FULL, spec: without }, []));
  }
});

test('no text of a variable or an argument gets into a message', () => {
  const secret = fc.constantFrom<Json>(987_654_321, ['s3cr3t-987654321'], { k: 's3cr3t-987654321' });
  const place = fc.constantFrom<FieldPath>(
    ['spec', 'template', 'spec', 'containers', 0, 'env', 0, 'value'],
    ['spec', 'template', 'spec', 'containers', 0, 'args', 0],
    ['spec', 'template', 'spec', 'containers', 0, 'args'],
    ['spec', 'template', 'spec', 'initContainers', 0, 'command', 0],
  );
  fc.assert(
    fc.property(place, secret, (path, value) => {
      const issues = checkJobTemplate(replaced(FULL, path, value), []);
      for (const issue of issues) expect(issue.message + (issue.fix ?? '')).not.toContain('987654321');
    }),
  );
});
