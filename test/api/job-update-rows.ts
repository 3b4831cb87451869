import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { EMPTY_ROWS } from './job-update-empty.ts';
import { type Given, type Part, TEMPLATE, type UpdateRow } from './job-update-row.ts';
import { VOLUME_ROWS } from './job-update-volumes.ts';

const POD = 'spec.template.spec: Invalid value: field is immutable';
const MAIN = { name: 'main', image: 'busybox:1.37' };
const INDEXED = { completionMode: 'Indexed', completions: 4, parallelism: 4 };
const ON_42 = { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } };
const ON_DISRUPTION = { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] };
const STARTED = { startTime: '2026-01-01T00:00:00Z' };
const SUSPENDED = {
  type: 'Suspended',
  status: 'True',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  lastProbeTime: '2026-01-01T00:00:00Z',
};

function spec(fields: JsonObject): Part {
  return { spec: fields };
}

function pod(fields: JsonObject): Part {
  return { pod: fields };
}

function main(fields: JsonObject): Part {
  return { main: fields };
}

function zone(operator: string): JsonObject {
  const matchExpressions = [{ key: 'zone', operator, values: ['a'] }];
  const terms = { nodeSelectorTerms: [{ matchExpressions }] };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
}

const APART = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } },
    ],
  },
};

const suspended = (part: Part): Part => ({ ...part, spec: { suspend: true, ...part.spec } });

const DIRECTIVES: readonly Given[] = [
  ['a node selector of a suspended Job', suspended({}), suspended(pod({ nodeSelector: { zone: 'a' } }))],
  [
    'tolerations of a suspended Job',
    suspended({}),
    suspended(pod({ tolerations: [{ operator: 'Exists' }] })),
  ],
  ['gates of a suspended Job', suspended({}), suspended(pod({ schedulingGates: [{ name: 'a.b/c' }] }))],
  ['a place of a suspended Job', suspended({}), suspended(pod({ affinity: zone('In') }))],
  ['another place', suspended(pod({ affinity: zone('In') })), suspended(pod({ affinity: zone('NotIn') }))],
  ['a place that goes', suspended(pod({ affinity: zone('In') })), suspended({})],
  ['labels', suspended({}), suspended({ template: { labels: { a: 'b' }, annotations: { a: 'b' } } })],
];

const mounted = (mount: JsonObject): Part => ({
  pod: { volumes: [{ name: 'a' }] },
  main: { volumeMounts: [mount] },
});

const limitInEnv = (fields: JsonObject): JsonObject => ({
  env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', ...fields } } }],
});
const LIMIT_IN_ENV = limitInEnv({});

const GIVEN: readonly Given[] = [
  ['nothing', {}, {}],
  [
    'what may change',
    spec({ parallelism: 1, backoffLimit: 1 }),
    spec({
      parallelism: 3,
      backoffLimit: 9,
      suspend: true,
      activeDeadlineSeconds: 5,
      ttlSecondsAfterFinished: 7,
      podReplacementPolicy: 'Failed',
    }),
  ],
  // Completions.
  [
    'completions',
    spec({ completions: 2 }),
    spec({ completions: 3 }),
    ['spec.completions: Invalid value: 3: field is immutable'],
  ],
  ['completions that are the default', {}, spec({ completions: 1 })],
  [
    'completions that are left out: the parallelism that was stored with them makes a work queue of it',
    spec({ completions: 1 }),
    {},
    ['spec.completions: Invalid value: null: field is immutable'],
  ],
  [
    'completions that are left out, with their parallelism',
    spec({ completions: 2, parallelism: 2 }),
    {},
    ['spec.completions: Invalid value: 1: field is immutable'],
  ],
  ['completions that stay as they were stored', {}, spec({ parallelism: 2 })],
  [
    'a work queue that gets completions',
    spec({ parallelism: 2 }),
    spec({ parallelism: 2, completions: 2 }),
    ['spec.completions: Invalid value: 2: field is immutable'],
  ],
  [
    'a work queue that loses its parallelism',
    spec({ parallelism: 2 }),
    {},
    ['spec.completions: Invalid value: 1: field is immutable'],
  ],
  [
    'a Job that becomes a work queue',
    spec({ completions: 2, parallelism: 2 }),
    spec({ parallelism: 2 }),
    ['spec.completions: Invalid value: null: field is immutable'],
  ],
  ['indexes with their parallelism', spec(INDEXED), spec({ ...INDEXED, completions: 6, parallelism: 6 })],
  [
    'indexes without their parallelism',
    spec(INDEXED),
    spec({ ...INDEXED, completions: 6 }),
    ['spec.completions: Invalid value: 6: can only be modified in tandem with spec.parallelism'],
  ],
  ['the parallelism of indexes', spec(INDEXED), spec({ ...INDEXED, parallelism: 1 })],
  // Fields that never change.
  [
    'a mode',
    spec({ completions: 2, parallelism: 2 }),
    spec({ ...INDEXED, completions: 2, parallelism: 2 }),
    ['spec.completionMode: Invalid value: "Indexed": field is immutable'],
  ],
  [
    'a mode that is left out',
    spec(INDEXED),
    spec({ completions: 4, parallelism: 4 }),
    ['spec.completionMode: Invalid value: "NonIndexed": field is immutable'],
  ],
  ['the usual mode, spelled out', {}, spec({ completionMode: 'NonIndexed' })],
  [
    'a failure policy that comes',
    spec({ podReplacementPolicy: 'Failed' }),
    spec({ podReplacementPolicy: 'Failed', podFailurePolicy: { rules: [ON_42] } }),
    ['spec.podFailurePolicy: Invalid value: field is immutable'],
  ],
  [
    'a failure policy that goes',
    spec({ podFailurePolicy: { rules: [ON_42] } }),
    {},
    ['spec.podFailurePolicy: Invalid value: null: field is immutable'],
  ],
  [
    'a failure policy with another rule',
    spec({ podFailurePolicy: { rules: [ON_42] } }),
    spec({ podFailurePolicy: { rules: [ON_DISRUPTION, ON_42] } }),
    ['spec.podFailurePolicy: Invalid value: field is immutable'],
  ],
  [
    'a failure policy that is spelled out',
    spec({ podFailurePolicy: { rules: [ON_DISRUPTION] } }),
    spec({
      podFailurePolicy: {
        rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      },
    }),
  ],
  [
    'a limit per index',
    spec({ ...INDEXED, backoffLimitPerIndex: 1 }),
    spec({ ...INDEXED, backoffLimitPerIndex: 2 }),
    ['spec.backoffLimitPerIndex: Invalid value: 2: field is immutable'],
  ],
  [
    'failed indexes',
    spec({ ...INDEXED, backoffLimitPerIndex: 1, maxFailedIndexes: 1 }),
    spec({ ...INDEXED, backoffLimitPerIndex: 1, maxFailedIndexes: 2 }),
  ],
  [
    'a manager that comes',
    {},
    spec({ managedBy: 'minutehand.dev/job' }),
    ['spec.managedBy: Invalid value: "minutehand.dev/job": field is immutable'],
  ],
  [
    'a manager that goes',
    spec({ managedBy: 'minutehand.dev/job' }),
    {},
    ['spec.managedBy: Invalid value: null: field is immutable'],
  ],
  [
    'a success policy',
    spec({ ...INDEXED, successPolicy: { rules: [{ succeededCount: 1 }] } }),
    spec({ ...INDEXED, successPolicy: { rules: [{ succeededCount: 2 }] } }),
    ['spec.successPolicy: Invalid value: field is immutable'],
  ],
  [
    'a selector',
    {
      spec: { manualSelector: true, selector: { matchLabels: { a: 'b' } } },
      template: { labels: { a: 'b', c: 'd' } },
    },
    {
      spec: { manualSelector: true, selector: { matchLabels: { c: 'd' } } },
      template: { labels: { a: 'b', c: 'd' } },
    },
    ['spec.selector: Invalid value: field is immutable'],
  ],
  // The template.
  ['an image', {}, main({ image: 'busybox:1.38' }), [TEMPLATE]],
  ['a label of the pods', {}, { template: { labels: { a: 'b' } } }, [TEMPLATE]],
  ['a node selector', {}, pod({ nodeSelector: { zone: 'a' } }), [TEMPLATE]],
  ['a time to end', {}, pod({ terminationGracePeriodSeconds: 0 }), [TEMPLATE]],
  ['no service account token', {}, pod({ automountServiceAccountToken: false }), [TEMPLATE]],
  ['a policy of restarts', {}, pod({ restartPolicy: 'OnFailure' }), [TEMPLATE]],
  ['an argument that is empty', main({ args: ['a'] }), main({ args: ['a', ''] }), [TEMPLATE]],
  ['a container more', {}, pod({ containers: [MAIN, { name: 'more', image: 'busybox:1.37' }] }), [TEMPLATE]],
  [
    'containers in another order',
    pod({ containers: [MAIN, { ...MAIN, name: 'more' }] }),
    pod({ containers: [{ ...MAIN, name: 'more' }, MAIN] }),
    [TEMPLATE],
  ],
  ['a variable that goes', main({ env: [{ name: 'A', value: '1' }] }), {}, [TEMPLATE]],
  ['another pull policy', {}, main({ imagePullPolicy: 'Always' }), [TEMPLATE]],
  ['a usual pull policy', {}, main({ imagePullPolicy: 'IfNotPresent' })],
  [
    'the pull policy of what is latest',
    main({ image: 'registry:5000/busybox' }),
    main({ image: 'registry:5000/busybox', imagePullPolicy: 'Always' }),
  ],
  [
    'the pull policy of a digest',
    main({ image: `busybox@sha256:${'0'.repeat(64)}` }),
    main({ image: `busybox@sha256:${'0'.repeat(64)}`, imagePullPolicy: 'IfNotPresent' }),
  ],
  [
    'amounts that are spelled otherwise',
    main({ resources: { limits: { cpu: '1', memory: '1024Mi' } } }),
    main({ resources: { limits: { cpu: '1000m', memory: '1Gi' } } }),
  ],
  [
    'other amounts',
    main({ resources: { limits: { cpu: '1' } } }),
    main({ resources: { limits: { cpu: '2' } } }),
    [TEMPLATE],
  ],
  [
    'all that the API takes anyway',
    {
      main: {
        ports: [{ containerPort: 80 }],
        env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }, { name: 'B' }],
        livenessProbe: { httpGet: { port: 80 } },
        startupProbe: { grpc: { port: 81 } },
        lifecycle: { preStop: { httpGet: { port: 80 } } },
      },
      pod: {
        volumes: [
          { name: 'a' },
          { name: 'b', secret: { secretName: 'b' } },
          { name: 'c', configMap: { name: 'c' } },
          { name: 'd', hostPath: { path: '/' } },
          { name: 'e', projected: { sources: [{ serviceAccountToken: { path: 'e' } }] } },
          { name: 'f', downwardAPI: { items: [{ path: 'f', fieldRef: { fieldPath: 'metadata.name' } }] } },
        ],
        serviceAccountName: 'robot',
      },
    },
    {
      main: {
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        env: [
          { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
          { name: 'B', value: '' },
        ],
        livenessProbe: {
          httpGet: { port: 80, path: '/', scheme: 'HTTP' },
          initialDelaySeconds: 0,
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
        startupProbe: { grpc: { port: 81, service: '' } },
        lifecycle: { preStop: { httpGet: { port: 80, path: '/', scheme: 'HTTP' } } },
        imagePullPolicy: 'IfNotPresent',
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        stdin: false,
        tty: false,
        resources: {},
      },
      pod: {
        volumes: [
          { name: 'a', emptyDir: {} },
          { name: 'b', secret: { secretName: 'b', defaultMode: 420 } },
          { name: 'c', configMap: { name: 'c', defaultMode: 420 } },
          { name: 'd', hostPath: { path: '/', type: '' } },
          {
            name: 'e',
            projected: {
              defaultMode: 420,
              sources: [{ serviceAccountToken: { path: 'e', expirationSeconds: 3600 } }],
            },
          },
          {
            name: 'f',
            downwardAPI: {
              defaultMode: 420,
              items: [{ path: 'f', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }],
            },
          },
        ],
        serviceAccountName: 'robot',
        serviceAccount: 'robot',
        dnsPolicy: 'ClusterFirst',
        schedulerName: 'default-scheduler',
        terminationGracePeriodSeconds: 30,
        securityContext: {},
        hostNetwork: false,
        hostPID: false,
        hostIPC: false,
        nodeSelector: {},
        tolerations: [],
      },
    },
  ],
  ...VOLUME_ROWS,
  [
    'amounts that the server rounds up to the same',
    main({ resources: { requests: { cpu: '0.0001' } } }),
    main({ resources: { requests: { cpu: '1m' } } }),
  ],
  [
    'amounts that it rounds up to others',
    main({ resources: { requests: { cpu: '0.0011' } } }),
    main({ resources: { requests: { cpu: '1m' } } }),
    [TEMPLATE],
  ],
  ['a divisor of zero, which is none', main(LIMIT_IN_ENV), main(limitInEnv({ divisor: '0' }))],
  ['a divisor', main(LIMIT_IN_ENV), main(limitInEnv({ divisor: '1' })), [TEMPLATE]],
  // Parts that go.
  [
    'a mount that is written again',
    mounted({ name: 'a', mountPath: '/a', readOnly: true }),
    mounted({ name: 'a', mountPath: '/a' }),
    [TEMPLATE],
  ],
  [
    'a port that loses its name',
    main({ ports: [{ containerPort: 80, name: 'web' }] }),
    main({ ports: [{ containerPort: 80 }] }),
    [TEMPLATE],
  ],
  [
    'a port of two protocols that loses a name',
    main({
      ports: [
        { containerPort: 53, name: 'a' },
        { containerPort: 53, protocol: 'UDP', name: 'b' },
      ],
    }),
    main({
      ports: [
        { containerPort: 53, name: 'a' },
        { containerPort: 53, protocol: 'UDP' },
      ],
    }),
    [TEMPLATE],
  ],
  [
    'ports of two protocols, spelled out',
    main({ ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] }),
    main({
      ports: [
        { containerPort: 53, protocol: 'TCP' },
        { containerPort: 53, protocol: 'UDP' },
      ],
    }),
  ],
  [
    'a part of a node selector that goes',
    pod({ nodeSelector: { zone: 'a', disk: 'b' } }),
    pod({ nodeSelector: { zone: 'a' } }),
    [TEMPLATE],
  ],
  [
    'a secret that is no longer optional',
    main({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'a', key: 'b', optional: true } } }] }),
    main({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } }] }),
    [TEMPLATE],
  ],
  [
    'an alias of a host with a name less',
    pod({ hostAliases: [{ ip: '10.0.0.1', hostnames: ['a', 'b'] }] }),
    pod({ hostAliases: [{ ip: '10.0.0.1' }] }),
    [TEMPLATE],
  ],
  [
    'a limit that goes',
    main({ resources: { limits: { cpu: '1', memory: '1Gi' } } }),
    main({ resources: { limits: { cpu: '1' } } }),
    [TEMPLATE],
  ],
  [
    'completions that are null',
    spec({ completions: 2, parallelism: 2 }),
    spec({ completions: null, parallelism: 2 }),
    ['spec.completions: Invalid value: null: field is immutable'],
  ],
  [
    'a manager that is null',
    spec({ managedBy: 'minutehand.dev/job' }),
    spec({ managedBy: null }),
    ['spec.managedBy: Invalid value: null: field is immutable'],
  ],
  [
    'a time to end that is null',
    pod({ terminationGracePeriodSeconds: 5 }),
    pod({ terminationGracePeriodSeconds: null }),
    [TEMPLATE],
  ],
  ...EMPTY_ROWS,
  // A suspended Job.
  ...DIRECTIVES,
  ['resources of a suspended Job', suspended({}), suspended(main({ resources: { limits: { cpu: '1' } } }))],
  ['an image of a suspended Job', suspended({}), suspended(main({ image: 'busybox:1.38' })), [POD]],
  [
    'a container more of a suspended Job',
    suspended({}),
    suspended(pod({ containers: [MAIN, { ...MAIN, name: 'more' }] })),
    [POD],
  ],
  ['pods apart of a suspended Job', suspended({}), suspended(pod({ affinity: APART })), [POD]],
  [
    'a place beside pods apart',
    suspended(pod({ affinity: APART })),
    suspended(pod({ affinity: { ...APART, ...zone('In') } })),
  ],
  [
    'pods apart that go, with their place',
    suspended(pod({ affinity: { ...APART, ...zone('In') } })),
    suspended({}),
    [POD],
  ],
  ['an image of a Job that is let go', suspended({}), main({ image: 'busybox:1.38' }), [POD]],
  ['a node selector of a Job that is let go', suspended({}), pod({ nodeSelector: { zone: 'a' } })],
  ['a node selector of a Job that is held', {}, suspended(pod({ nodeSelector: { zone: 'a' } })), [TEMPLATE]],
  [
    'a suspended Job that had begun',
    suspended({}),
    suspended(pod({ nodeSelector: { zone: 'a' } })),
    [TEMPLATE],
    STARTED,
  ],
  [
    'a suspended Job that had begun and is marked',
    suspended({}),
    suspended(pod({ nodeSelector: { zone: 'a' } })),
    [],
    { ...STARTED, conditions: [SUSPENDED] },
  ],
  [
    'a suspended Job with pods',
    suspended({}),
    suspended(main({ resources: { limits: { cpu: '1' } } })),
    [TEMPLATE],
    { active: 1, ready: 0, terminating: 0 },
  ],
];

export const UPDATE_ROWS: readonly UpdateRow[] = GIVEN.map(([what, old, fresh, says = [], status]) => ({
  what,
  old,
  fresh,
  says,
  ...(status === undefined ? {} : { status }),
}));

export function jobWith(
  { spec: fields, pod: podFields, main: mainFields, template }: Part,
  name: string,
): KubeObject {
  const containers = [{ ...MAIN, ...mainFields }];
  const metadata = template === undefined ? {} : { metadata: template };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default' },
    spec: {
      template: { ...metadata, spec: { restartPolicy: 'Never', containers, ...podFields } },
      ...fields,
    },
  };
}
