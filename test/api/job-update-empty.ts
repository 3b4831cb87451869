import type { JsonObject } from '#core/object/object.ts';
import { type Given, type Part, TEMPLATE } from './job-update-row.ts';

const pod = (fields: JsonObject): Part => ({ pod: fields });
const main = (fields: JsonObject): Part => ({ main: fields });

const apart = (term: JsonObject): Part => {
  const required = [{ topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } }, ...term }];
  return pod({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } });
};

const spread = (selector: JsonObject): Part =>
  pod({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', ...selector },
    ],
  });

/** What the server stores although it is empty, beside the same without it. */
const STORED: readonly (readonly [what: string, without: Part, empty: Part])[] = [
  ['a security context of a container', {}, main({ securityContext: {} })],
  ['hooks', {}, main({ lifecycle: {} })],
  ['capabilities', main({ securityContext: {} }), main({ securityContext: { capabilities: {} } })],
  ['an affinity', {}, pod({ affinity: {} })],
  ['a node affinity', pod({ affinity: {} }), pod({ affinity: { nodeAffinity: {} } })],
  ['settings of names', {}, pod({ dnsConfig: {} })],
  ['resources of the pod', {}, pod({ resources: {} })],
  ['options of a system', pod({ securityContext: {} }), pod({ securityContext: { seLinuxOptions: {} } })],
  ['a selector of namespaces', apart({}), apart({ namespaceSelector: {} })],
  ['a selector of pods', spread({}), spread({ labelSelector: {} })],
  [
    'a volume',
    pod({ volumes: [{ name: 'a', emptyDir: {} }] }),
    pod({ volumes: [{ name: 'a', downwardAPI: {} }] }),
  ],
];

/** What is as good as left out. */
const SAID_ANYWAY: readonly (readonly [what: string, without: Part, empty: Part])[] = [
  ['a security context of the pod', {}, pod({ securityContext: {} })],
  ['resources of a container', {}, main({ resources: {} })],
  ['limits', main({ resources: {} }), main({ resources: { limits: {}, requests: {} } })],
  ['overhead', {}, pod({ overhead: {} })],
  ['lists', {}, { pod: { volumes: [], hostAliases: [] }, main: { env: [], ports: [], args: [] } }],
  ['labels of a selector', spread({ labelSelector: {} }), spread({ labelSelector: { matchLabels: {} } })],
  ['a folder', pod({ volumes: [{ name: 'a' }] }), pod({ volumes: [{ name: 'a', emptyDir: {} }] })],
];

export const EMPTY_ROWS: readonly Given[] = [
  ...STORED.flatMap(([what, without, empty]): Given[] => [
    [`${what} that comes, empty`, without, empty, [TEMPLATE]],
    [`${what} that goes, empty`, empty, without, [TEMPLATE]],
  ]),
  ...SAID_ANYWAY.flatMap(([what, without, empty]): Given[] => [
    [`${what}: empty, which says nothing`, without, empty],
    [`${what}: empty before, which said nothing`, empty, without],
  ]),
  // The other way the server would take the labels away that it wrote itself.
  ['labels: empty, which says nothing', {}, { template: { labels: {}, annotations: {} } }],
  ['metadata: empty, which says nothing', {}, { template: {} }],
  [
    'a failure policy without rules',
    { spec: { podReplacementPolicy: 'Failed' } },
    { spec: { podReplacementPolicy: 'Failed', podFailurePolicy: { rules: [] } } },
    ['spec.podFailurePolicy: Invalid value: field is immutable'],
  ],
  [
    'an empty affinity of a suspended Job',
    { spec: { suspend: true } },
    { spec: { suspend: true }, pod: { affinity: {} } },
  ],
];
