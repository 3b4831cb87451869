import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#core/object/object.ts';
import { indexed, type JobRow, linesOf } from '#test/api/job-row.ts';

const SUCCESS = 'spec.successPolicy.rules';

function success(...rules: readonly Json[]): JsonObject {
  return indexed({ successPolicy: { rules } });
}

const SUCCESS_POLICY: readonly JobRow[] = [
  { name: 'indexes', spec: success({ succeededIndexes: '0,2-3' }) },
  { name: 'a count', spec: success({ succeededCount: 3 }) },
  { name: 'indexes and a count', spec: success({ succeededIndexes: '0,2-3', succeededCount: 3 }) },
  { name: 'twenty rules', spec: success(...Array(20).fill({ succeededCount: 1 })) },
  {
    name: 'no indexed mode',
    spec: { successPolicy: { rules: [{ succeededCount: 1 }] } },
    says: ['spec.successPolicy: Invalid value: requires indexed completion mode'],
  },
  {
    name: 'no rules',
    spec: success(),
    says: [
      `${SUCCESS}: Required value: at least one rules must be specified when the successPolicy is specified`,
    ],
  },
  {
    name: 'twenty-one rules',
    spec: success(...Array(21).fill({ succeededCount: 1 })),
    says: [`${SUCCESS}: Too many: 21: must have at most 20 items`],
  },
  {
    name: 'an empty rule',
    spec: success({}),
    says: [
      `${SUCCESS}[0]: Required value: at least one of succeededCount or succeededIndexes must be specified`,
    ],
  },
  {
    name: 'indexes out of order',
    spec: success({ succeededIndexes: '3,1' }),
    says: [
      `${SUCCESS}[0].succeededIndexes: Invalid value: "3,1": error parsing succeededIndexes: non-increasing order, previous: 3, current: 1`,
    ],
  },
  {
    name: 'an index twice',
    spec: success({ succeededIndexes: '1,1' }),
    says: [
      `${SUCCESS}[0].succeededIndexes: Invalid value: "1,1": error parsing succeededIndexes: non-increasing order, previous: 1, current: 1`,
    ],
  },
  {
    name: 'a range that falls',
    spec: success({ succeededIndexes: '3-1' }),
    says: [
      `${SUCCESS}[0].succeededIndexes: Invalid value: "3-1": error parsing succeededIndexes: non-increasing order, previous: 3, current: 1`,
    ],
  },
  {
    name: 'an index as large as completions',
    spec: success({ succeededIndexes: '0-5' }),
    says: [
      `${SUCCESS}[0].succeededIndexes: Invalid value: "0-5": error parsing succeededIndexes: too large index: "5"`,
    ],
  },
  {
    name: 'an index that is no number',
    spec: success({ succeededIndexes: '0,a' }),
    says: [
      `${SUCCESS}[0].succeededIndexes: Invalid value: "0,a": error parsing succeededIndexes: cannot convert string to integer for index: "a"`,
    ],
  },
  {
    name: 'a range of three parts',
    spec: success({ succeededIndexes: '0-1-2' }),
    says: [
      `${SUCCESS}[0].succeededIndexes: Invalid value: "0-1-2": error parsing succeededIndexes: the fragment "0-1-2" violates the requirement that an index interval can have at most two parts separated by '-'`,
    ],
  },
  {
    name: 'a list longer than 64 KiB',
    spec: success({ succeededIndexes: `${'0'.repeat(65_536)}1` }),
    says: [`${SUCCESS}[0].succeededIndexes: Too long: may not be more than 65536 bytes`],
  },
  {
    name: 'a count above completions',
    spec: success({ succeededCount: 6 }),
    says: [
      `${SUCCESS}[0].succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified completions)`,
    ],
  },
  {
    name: 'a count above the listed indexes',
    spec: success({ succeededIndexes: '0,2-3', succeededCount: 4 }),
    says: [
      `${SUCCESS}[0].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of indexes in the specified succeededIndexes field)`,
    ],
  },
  {
    name: 'a negative count',
    spec: success({ succeededCount: -1 }),
    says: [`${SUCCESS}[0].succeededCount: Invalid value: -1: must be greater than or equal to 0`],
  },
];

test.each(SUCCESS_POLICY)('a success policy with $name is judged as by the API server', (row) => {
  expect(linesOf(row)).toEqual(row.says ?? []);
});
