import { expect, test } from 'vitest';
import { DISRUPTED, failurePolicy, indexed, type JobRow, linesOf, ON_42 } from '#test/api/job-row.ts';

const RULES = 'spec.podFailurePolicy.rules';
const SUPPORTED_ACTIONS = '"Count", "FailIndex", "FailJob", "Ignore"';

const FAILURE_POLICY: readonly JobRow[] = [
  {
    name: 'exit codes of a named container',
    spec: failurePolicy({
      action: 'FailJob',
      onExitCodes: { containerName: 'worker', operator: 'In', values: [42] },
    }),
  },
  {
    name: 'exit codes of an init container',
    spec: failurePolicy({
      action: 'Count',
      onExitCodes: { containerName: 'fetch', operator: 'NotIn', values: [0, 1] },
    }),
    pod: { initContainers: [{ name: 'fetch', image: 'busybox' }] },
  },
  {
    name: 'a condition whose status is left out',
    spec: failurePolicy({ action: 'Ignore', onPodConditions: [DISRUPTED] }),
  },
  {
    name: 'a condition with each status',
    spec: failurePolicy({
      action: 'Ignore',
      onPodConditions: ['True', 'False', 'Unknown', ''].map((status) => ({ ...DISRUPTED, status })),
    }),
  },
  {
    name: 'FailIndex with a limit',
    spec: { ...indexed({ backoffLimitPerIndex: 1 }), ...failurePolicy({ action: 'FailIndex', ...ON_42 }) },
  },
  { name: 'twenty rules', spec: failurePolicy(...Array(20).fill({ action: 'Ignore', ...ON_42 })) },
  {
    name: 'twenty-one rules',
    spec: failurePolicy(...Array(21).fill({ action: 'Ignore', ...ON_42 })),
    says: [`${RULES}: Too many: 21: must have at most 20 items`],
  },
  {
    name: 'no action',
    spec: failurePolicy(ON_42),
    says: [`${RULES}[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`],
  },
  {
    name: 'an unknown action',
    spec: failurePolicy({ action: 'Retry', ...ON_42 }),
    says: [`${RULES}[0].action: Unsupported value: "Retry": supported values: ${SUPPORTED_ACTIONS}`],
  },
  {
    name: 'FailIndex without a limit',
    spec: failurePolicy({ action: 'FailIndex', ...ON_42 }),
    says: [`${RULES}[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`],
  },
  {
    name: 'codes and conditions in one rule',
    spec: failurePolicy({ action: 'Count', ...ON_42, onPodConditions: [DISRUPTED] }),
    says: [`${RULES}[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported`],
  },
  {
    name: 'neither codes nor conditions',
    spec: failurePolicy({ action: 'Count', onPodConditions: [] }),
    says: [`${RULES}[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`],
  },
  {
    name: 'no operator',
    spec: failurePolicy({ action: 'Count', onExitCodes: { values: [1] } }),
    says: [`${RULES}[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]`],
  },
  {
    name: 'an unknown operator',
    spec: failurePolicy({ action: 'Count', onExitCodes: { operator: 'Equals', values: [1] } }),
    says: [`${RULES}[0].onExitCodes.operator: Unsupported value: "Equals": supported values: "In", "NotIn"`],
  },
  {
    name: 'no exit codes',
    spec: failurePolicy({ action: 'Count', onExitCodes: { operator: 'In', values: [] } }),
    says: [`${RULES}[0].onExitCodes.values: Invalid value: []: at least one value is required`],
  },
  {
    name: '255 exit codes',
    spec: failurePolicy({
      action: 'Count',
      onExitCodes: { operator: 'In', values: Array.from({ length: 255 }, (_, i) => i + 1) },
    }),
  },
  {
    name: '256 exit codes',
    spec: failurePolicy({
      action: 'Count',
      onExitCodes: { operator: 'NotIn', values: Array.from({ length: 256 }, (_, i) => i) },
    }),
    says: [`${RULES}[0].onExitCodes.values: Too many: 256: must have at most 255 items`],
  },
  {
    name: 'exit codes out of order and repeated, with 0',
    spec: failurePolicy({ action: 'Count', onExitCodes: { operator: 'In', values: [3, 1, 3, 0] } }),
    says: [
      `${RULES}[0].onExitCodes.values[2]: Duplicate value: 3`,
      `${RULES}[0].onExitCodes.values[3]: Invalid value: 0: must not be 0 for the In operator`,
      `${RULES}[0].onExitCodes.values: Invalid value: [3,1,3,0]: must be ordered`,
    ],
  },
  {
    name: 'an exit code twice in a row',
    spec: failurePolicy({ action: 'Count', onExitCodes: { operator: 'In', values: [2, 2] } }),
    says: [`${RULES}[0].onExitCodes.values[1]: Duplicate value: 2`],
  },
  {
    name: 'exit codes of a container that does not exist',
    spec: failurePolicy({
      action: 'Count',
      onExitCodes: { containerName: 'w', operator: 'In', values: [1] },
    }),
    says: [
      `${RULES}[0].onExitCodes.containerName: Invalid value: "w": must be one of the container or initContainer names in the pod template`,
    ],
  },
  {
    name: 'twenty-one conditions',
    spec: failurePolicy({ action: 'Ignore', onPodConditions: Array(21).fill(DISRUPTED) }),
    says: [`${RULES}[0].onPodConditions: Too many: 21: must have at most 20 items`],
  },
  {
    name: 'a condition with an unknown status',
    spec: failurePolicy({ action: 'Ignore', onPodConditions: [{ ...DISRUPTED, status: 'true' }] }),
    says: [
      `${RULES}[0].onPodConditions[0].status: Unsupported value: "true": supported values: "False", "True", "Unknown"`,
    ],
  },
  {
    name: 'a condition without type',
    spec: failurePolicy({ action: 'Ignore', onPodConditions: [null] }),
    says: [
      expect.stringContaining(
        `${RULES}[0].onPodConditions[0].type: Invalid value: "": name part must be non-empty`,
      ),
    ],
  },
];

test.each(FAILURE_POLICY)('a failure policy with $name is judged as by the API server', (row) => {
  expect(linesOf(row)).toEqual(row.says ?? []);
});
