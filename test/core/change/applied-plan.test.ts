import { describe, expect, test } from 'vitest';
import { wasApplied } from '#core/change/applied-plan.ts';
import type { Json, JsonObject } from '#core/object/object.ts';

const NIGHTLY: JsonObject = { apiVersion: 'batch/v1', kind: 'CronJob', namespace: 'shop', name: 'nightly' };
const FIRED: JsonObject = { code: 'fired', slot: '2026-06-10T03:00:00Z' };
const WAITING: JsonObject = { code: 'waiting' };
const CREATE: JsonObject = { verb: 'create' };
const WRITE: JsonObject = {
  verb: 'apply',
  fields: { active: [{ name: 'run' }], lastScheduleTime: '2026-06-10T03:00:00Z' },
};
const WRITTEN: Json = {
  active: [{ name: 'run', uid: 'u' }],
  lastScheduleTime: '2026-06-10T03:00:00Z',
  lastSuccessfulTime: '2026-06-09T03:01:00Z',
};

function entry(verdict: JsonObject, changes: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { ...NIGHTLY, uid: 'uid-1', verdict, changes: [...changes], ...more };
}

interface Row {
  readonly saved: JsonObject | undefined;
  readonly current: JsonObject | undefined;
  readonly status?: Json;
  readonly applied: boolean;
}

const DONE = entry(WAITING, []);

describe('a plan was applied already', () => {
  test.each<[string, Row]>([
    [
      'its status is there',
      { saved: entry(FIRED, [CREATE, WRITE]), current: DONE, status: WRITTEN, applied: true },
    ],
    [
      'its status has another value',
      {
        saved: entry(FIRED, [CREATE, WRITE]),
        current: DONE,
        status: { active: [], lastScheduleTime: '2026-06-10T03:00:00Z' },
        applied: false,
      },
    ],
    ['its status is not there', { saved: entry(FIRED, [WRITE]), current: DONE, applied: false }],
    [
      'something is left to do',
      { saved: entry(FIRED, [WRITE]), current: entry(WAITING, [CREATE]), status: WRITTEN, applied: false },
    ],
    [
      'it is another object of the name',
      {
        saved: entry(FIRED, [WRITE]),
        current: entry(WAITING, [], { uid: 'uid-2' }),
        status: WRITTEN,
        applied: false,
      },
    ],
    [
      'the object is gone',
      { saved: entry(FIRED, [WRITE]), current: undefined, status: WRITTEN, applied: false },
    ],
    [
      'only events were told',
      { saved: entry(FIRED, [{ verb: 'event' }]), current: entry(FIRED, []), applied: true },
    ],
    [
      'only events were told, and the decision is another',
      { saved: entry(FIRED, [{ verb: 'event' }]), current: DONE, applied: false },
    ],
    [
      'only deletes were to be done',
      { saved: entry(WAITING, [{ verb: 'delete' }]), current: DONE, applied: true },
    ],
    ['it had nothing to do', { saved: entry(WAITING, []), current: entry(FIRED, []), applied: false }],
    ['it is empty', { saved: undefined, current: entry(FIRED, [CREATE]), applied: false }],
  ])('%s', (_name, { saved, current, status, applied }) => {
    const document = (one: JsonObject | undefined): JsonObject => ({
      schedules: one === undefined ? [] : [one],
    });
    expect(wasApplied(document(saved), document(current), () => status)).toBe(applied);
  });
});
