import { describe, expect, test } from 'vitest';
import { checkPodTemplate } from '#api/pod-template.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { issueLines } from '#test/api/issue-lines.ts';

const WORKER: JsonObject = { name: 'worker', image: 'busybox:1.37' };
const FIRST = 'template.spec.containers[0]';

function lines(template: Json | undefined): string[] {
  return issueLines(checkPodTemplate(template, ['template']));
}

function withPod(pod: JsonObject): string[] {
  return lines({ spec: { containers: [WORKER], ...pod } });
}

function withContainer(container: JsonObject): string[] {
  return withPod({ containers: [{ ...WORKER, ...container }] });
}

describe('containers', () => {
  test('one container with name and image is enough, and the restart policy is not judged here', () => {
    expect(withPod({})).toEqual([]);
    expect(withPod({ restartPolicy: 'Always' })).toEqual([]);
  });

  test.each<[string, Json]>([
    ['no template', null],
    ['no spec', {}],
    ['no containers', { spec: {} }],
    ['an empty list', { spec: { containers: [] } }],
  ])('%s lacks containers', (_, template) => {
    expect(lines(template)).toEqual(['template.spec.containers: Required value']);
  });

  test.each<[string, JsonObject, string[]]>([
    [
      'an empty container',
      { containers: [null] },
      [`${FIRST}.name: Required value`, `${FIRST}.image: Required value`],
    ],
    ['an empty name', { containers: [{ ...WORKER, name: '' }] }, [`${FIRST}.name: Required value`]],
    [
      'a name with a dot',
      { containers: [{ ...WORKER, name: 'a.b' }] },
      [`${FIRST}.name: Invalid value: "a.b": must not contain dots`],
    ],
    [
      'a name twice',
      { containers: [WORKER, WORKER] },
      ['template.spec.containers[1].name: Duplicate value: "worker"'],
    ],
    [
      'a name shared with an init container',
      { initContainers: [WORKER] },
      ['template.spec.initContainers[0].name: Duplicate value: "worker"'],
    ],
    [
      'a container that is a text',
      { containers: ['worker'] },
      [`${FIRST}: Invalid value: "worker": ${FIRST} must be an object, not a string`],
    ],
    [
      'containers that are an object',
      { containers: {} },
      [
        'template.spec.containers: Invalid value: {…}: template.spec.containers must be a list, not an object',
      ],
    ],
    [
      'ephemeral containers',
      { ephemeralContainers: [WORKER] },
      ['template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template'],
    ],
  ])('%s is refused', (_, pod, says) => {
    expect(withPod(pod)).toEqual(says);
  });

  test.each<[string, JsonObject, string[]]>([
    ['an empty image', { image: '' }, [`${FIRST}.image: Required value`]],
    [
      'a blank at the end of the image',
      { image: 'busybox ' },
      [`${FIRST}.image: Invalid value: "busybox ": must not have leading or trailing whitespace`],
    ],
    [
      'a command in one text',
      { command: 'sh' },
      [`${FIRST}.command: Invalid value: (hidden): ${FIRST}.command must be a list, not a string`],
    ],
    [
      'a number among the arguments',
      { args: ['--port', 8080] },
      [`${FIRST}.args[1]: Invalid value: (hidden): ${FIRST}.args[1] must be a string, not a number`],
    ],
    [
      'an unknown pull policy',
      { imagePullPolicy: 'Sometimes' },
      [
        `${FIRST}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`,
      ],
    ],
    [
      'a text for a boolean',
      { tty: 'yes' },
      [`${FIRST}.tty: Invalid value: "yes": ${FIRST}.tty must be a boolean, not a string`],
    ],
  ])('%s is refused', (_, container, says) => {
    expect(withContainer(container)).toEqual(says);
  });
});

describe('variables', () => {
  const variable = (env: Json) => withContainer({ env: [env] });

  test.each(['PATH', 'my.name-1', '1_DIGIT', 'with blank'])('the name %j is accepted', (name) => {
    expect(variable({ name, value: 'x' })).toEqual([]);
  });

  test('a variable without a name is refused', () => {
    expect(variable({ value: 'x' })).toEqual([`${FIRST}.env[0].name: Required value`]);
  });

  test('an assignment as name is refused without showing what was assigned', () => {
    expect(variable({ name: 'DB=hunter2' })).toEqual([
      `${FIRST}.env[0].name: Invalid value: "DB=…": a valid environment variable name must consist only of printable ASCII characters other than '='`,
    ]);
  });

  test('a number as value is refused without showing it, with the quotes as fix', () => {
    const template = { spec: { containers: [{ ...WORKER, env: [{ name: 'PIN', value: 1234 }] }] } };
    const [issue] = checkPodTemplate(template, ['template']);
    expect(issue?.message).toBe(
      `Invalid value: (hidden): ${FIRST}.env[0].value must be a string, not a number`,
    );
    expect(issue?.fix).toBe('write the value in quotes');
  });

  test('a value and a source exclude each other, an empty value does not count', () => {
    const valueFrom = { secretKeyRef: { name: 's', key: 'k' } };
    expect(variable({ name: 'A', value: '', valueFrom })).toEqual([]);
    expect(variable({ name: 'A', value: 'x', valueFrom })).toEqual([
      `${FIRST}.env[0].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`,
    ]);
  });

  test('variables that are an object are refused', () => {
    expect(withContainer({ env: { A: 'x' } })).toEqual([
      `${FIRST}.env: Invalid value: {…}: ${FIRST}.env must be a list, not an object`,
    ]);
  });
});

describe('resources', () => {
  const resources = (value: JsonObject) => withContainer({ resources: value });
  const path = `${FIRST}.resources.requests`;

  test.each<[string, JsonObject]>([
    [
      'requests below limits',
      { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: 1, memory: '0.5Gi' } },
    ],
    ['requests equal to limits', { requests: { memory: '1Gi' }, limits: { memory: '1024Mi' } }],
    ['limits of something else', { requests: { cpu: 2 }, limits: { memory: '1Ki' } }],
    ['null amounts and null maps', { requests: { cpu: null }, limits: null }],
  ])('%s are accepted', (_, value) => {
    expect(resources(value)).toEqual([]);
  });

  test.each<[string, JsonObject, string[]]>([
    [
      'more requested than the limit',
      { requests: { memory: '1Gi' }, limits: { memory: '1023Mi' } },
      [`${path}.memory: Invalid value: "1Gi": must be less than or equal to memory limit of 1023Mi`],
    ],
    [
      'more of the same unit than the limit',
      { requests: { memory: '9Mi' }, limits: { memory: '8Mi' } },
      [`${path}.memory: Invalid value: "9Mi": must be less than or equal to memory limit of 8Mi`],
    ],
    [
      'more of a fraction than the limit',
      { requests: { cpu: '.5' }, limits: { cpu: '.25' } },
      [`${path}.cpu: Invalid value: ".5": must be less than or equal to cpu limit of .25`],
    ],
    [
      'more by a leading zero than it looks',
      { requests: { cpu: '010' }, limits: { cpu: '9' } },
      [`${path}.cpu: Invalid value: "010": must be less than or equal to cpu limit of 9`],
    ],
    [
      'a negative amount',
      { requests: { cpu: '-1' } },
      [`${path}.cpu: Invalid value: "-1": must be greater than or equal to 0`],
    ],
    [
      'a unit that does not exist',
      { requests: { memory: '128MB' } },
      [
        `${path}.memory: Invalid value: "128MB": quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
      ],
    ],
    [
      'an amount that is a boolean',
      { requests: { cpu: true } },
      [
        `${path}.cpu: Invalid value: true: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
      ],
    ],
  ])('%s is refused', (_, value, says) => {
    expect(resources(value)).toEqual(says);
  });
});

describe('volumes', () => {
  const volumes = [{ name: 'data', emptyDir: {} }];
  const mount = (...volumeMounts: Json[]) => withPod({ volumes, containers: [{ ...WORKER, volumeMounts }] });
  const path = `${FIRST}.volumeMounts`;

  test('a mount of a volume is accepted', () => {
    expect(mount({ name: 'data', mountPath: '/data' })).toEqual([]);
  });

  test.each<[string, Json[], string[]]>([
    [
      'a volume that does not exist',
      [{ name: 'date', mountPath: '/data' }],
      [`${path}[0].name: Invalid value: "date": no volume has this name`],
    ],
    [
      'a path twice',
      [
        { name: 'data', mountPath: '/d' },
        { name: 'data', mountPath: '/d' },
      ],
      [`${path}[1].mountPath: Invalid value: "/d": must be unique`],
    ],
    ['nothing', [{}], [`${path}[0].name: Required value`, `${path}[0].mountPath: Required value`]],
  ])('a mount of %s is refused', (_, mounts, says) => {
    expect(mount(...mounts)).toEqual(says);
  });

  test('volume names are labels and unique', () => {
    expect(withPod({ volumes: [{ name: 'a.b' }, { name: 'c' }, { name: 'c' }, {}] })).toEqual([
      'template.spec.volumes[0].name: Invalid value: "a.b": must not contain dots',
      'template.spec.volumes[2].name: Duplicate value: "c"',
      'template.spec.volumes[3].name: Required value',
    ]);
  });
});

describe('the rest of the pod', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'a deadline of 0',
      { activeDeadlineSeconds: 0 },
      ['template.spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
    ],
    [
      'a negative grace period',
      { terminationGracePeriodSeconds: -1 },
      ['template.spec.terminationGracePeriodSeconds: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'a service account that is a number',
      { serviceAccountName: 7 },
      [
        'template.spec.serviceAccountName: Invalid value: 7: template.spec.serviceAccountName must be a string, not a number',
      ],
    ],
    [
      'a node selector that is a boolean',
      { nodeSelector: { gpu: true } },
      [
        'template.spec.nodeSelector.gpu: Invalid value: true: template.spec.nodeSelector.gpu must be a string, not a boolean',
      ],
    ],
    [
      'tolerations that are an object',
      { tolerations: {} },
      [
        'template.spec.tolerations: Invalid value: {…}: template.spec.tolerations must be a list, not an object',
      ],
    ],
  ])('%s is refused', (_, pod, says) => {
    expect(withPod(pod)).toEqual(says);
  });

  test('fields that this build does not know are left to the server', () => {
    expect(lines({ spec: { containers: [{ ...WORKER, future: 1 }], future: [1] }, future: 'x' })).toEqual([]);
  });

  test('labels and annotations are checked for type and grammar', () => {
    const metadata = { labels: { app: 8, ok: 'a b' }, annotations: { 'a/b/c': 'x', port: 9 } };
    expect(issueLines(checkPodTemplate({ metadata, spec: { containers: [WORKER] } }, []))).toEqual([
      'metadata.labels.app: Invalid value: 8: metadata.labels.app must be a string, not a number',
      expect.stringContaining('metadata.labels.ok: Invalid value: "a b": a valid label must be'),
      'metadata.annotations.port: Invalid value: 9: metadata.annotations.port must be a string, not a number',
      expect.stringContaining('metadata.annotations[a/b/c]: Invalid value: "a/b/c": a valid label key'),
    ]);
  });
});
