import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import { PLAY } from '#drivers/managed-job/play.ts';
import { at } from '#test/support/given-tick.ts';

const FROM = at('2026-06-10T08:00:00Z');
const FAILED = { exitCode: 7 };

function podOf(spec: JsonObject): KubeObject {
  const metadata = { name: 'p', namespace: 'work', uid: 'uid-p', creationTimestamp: '2026-06-10T08:00:00Z' };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [{ name: 'main' }], ...spec } };
  return PLAY.begun(pod, FROM);
}

function firstStatus({ status }: KubeObject): unknown {
  return (status as { readonly containerStatuses: readonly unknown[] }).containerStatuses[0];
}

describe('a container that fails under OnFailure', () => {
  const failed = PLAY.failed(podOf({ restartPolicy: 'OnFailure' }), instant(FROM + 50), FAILED);

  test('waits in its pod, and does not count as restarted yet', () => {
    expect(failed && firstStatus(failed)).toEqual({
      name: 'main',
      ready: false,
      restartCount: 0,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 7, finishedAt: '2026-06-10T08:00:50Z' } },
    });
    expect(failed && PLAY.read(failed)).toMatchObject({
      phase: 'running',
      restarts: 0,
      restartsAt: FROM + 60,
    });
  });

  test('counts once it runs again', () => {
    const again = failed && PLAY.restarted(failed, instant(FROM + 60));
    expect(again && firstStatus(again)).toEqual({
      name: 'main',
      ready: true,
      restartCount: 1,
      state: { running: { startedAt: '2026-06-10T08:01:00Z' } },
    });
    expect(again && PLAY.read(again)).toMatchObject({ restarts: 1, runsSince: FROM + 60 });
  });

  test('each time after twice the delay, at most five minutes', () => {
    let pod = podOf({ restartPolicy: 'OnFailure' });
    const delays = Array.from({ length: 8 }, (_, turn) => {
      const now = instant(FROM + turn * 1000);
      const waiting = PLAY.failed(pod, now, FAILED) ?? pod;
      const { restartsAt = now } = PLAY.read(waiting);
      pod = PLAY.restarted(waiting, restartsAt);
      return restartsAt - now;
    });
    expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
  });
});

test.each([
  ['under Never', { restartPolicy: 'Never' }, FAILED],
  ['after a success', { restartPolicy: 'OnFailure' }, { exitCode: 0 }],
  ['where it was taken from its node', { restartPolicy: 'OnFailure' }, { exitCode: 143, disrupted: true }],
] as const)('nothing is started anew %s', (_, spec, end) => {
  expect(PLAY.failed(podOf(spec), FROM, end)).toBeUndefined();
});

test('a pod that was taken from its node is told from one that ends with the same code', () => {
  const ended = (disrupted: boolean) =>
    PLAY.read(
      PLAY.ended(podOf({ restartPolicy: 'Never' }), FROM, {
        exitCode: 143,
        ...(disrupted ? { disrupted: true } : {}),
      }),
    );
  expect(ended(true)).toMatchObject({ phase: 'failed', exitCode: 143, disrupted: true });
  expect(ended(false)).toMatchObject({ phase: 'failed', exitCode: 143 });
  expect(ended(false).disrupted).toBeUndefined();
});

test.each([
  ['an Indexed Job', { completionMode: 'Indexed', completions: 3 }, 3],
  ['one without any', { completionMode: 'Indexed', completions: 0 }, 0],
  ['a Job without indexes', { completions: 3 }, 0],
  ['a work queue', { parallelism: 3 }, 0],
  ['a spec that the API refuses', { completionMode: 'Indexed', completions: '3' }, Number.POSITIVE_INFINITY],
] as const)('the indexes that there can be: %s', (_, spec, wanted) => {
  const metadata = { name: 'j', namespace: 'work', uid: 'uid-j' };
  expect(PLAY.places({ apiVersion: 'batch/v1', kind: 'Job', metadata, spec })).toBe(wanted);
});
