import { describe, expect, test } from 'vitest';
import { anchorOf } from '#core/anchor.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { formatInstant, parseInstant } from '#core/time/instant.ts';

const NOW = parseInstant('2026-06-10T03:00:10Z');

function object(created: Json | undefined, last: Json | undefined): KubeObject {
  const metadata = { name: 'nightly', ...(created === undefined ? {} : { creationTimestamp: created }) };
  const body: Json = {
    apiVersion: 'test/v1',
    kind: 'Schedule',
    metadata,
    status: last === undefined ? {} : { lastScheduleTime: last },
  };
  return JSON.parse(JSON.stringify(body));
}

function shown(created: Json | undefined, last: Json | undefined): string {
  if (NOW === undefined) return '';
  const { at, from, findings, unreadable } = anchorOf(object(created, last), NOW);
  const told = findings.map(({ code, path }) => `${code} ${path.join('.')}`);
  return [unreadable ? 'unreadable' : `${formatInstant(at)} from ${from}`, ...told].join(' · ');
}

const CREATED = '2026-06-01T00:00:00Z';

describe('what a schedule last settled', () => {
  test.each<readonly [string, Json | undefined, Json | undefined, string]>([
    ['the last slot', CREATED, '2026-06-09T03:00:00Z', '2026-06-09T03:00:00Z from status'],
    [
      'the last slot, also before the creation',
      CREATED,
      '2026-05-01T03:00:00Z',
      '2026-05-01T03:00:00Z from status',
    ],
    ['without a last slot the creation', CREATED, undefined, '2026-06-01T00:00:00Z from creation'],
    ['null is absent', CREATED, null, '2026-06-01T00:00:00Z from creation'],
    ['without both it is now, never the epoch', undefined, undefined, '2026-06-10T03:00:10Z from creation'],
    ['a null creation is absent', null, undefined, '2026-06-10T03:00:10Z from creation'],
    ['a creation in the future', '2026-06-11T00:00:00Z', undefined, '2026-06-11T00:00:00Z from creation'],
    [
      'a last slot in the future is told',
      CREATED,
      '2026-06-10T03:00:11Z',
      '2026-06-10T03:00:11Z from status · AnchorInFuture status.lastScheduleTime',
    ],
    ['an offset', CREATED, '2026-06-09T05:00:00+02:00', '2026-06-09T03:00:00Z from status'],
    ['a fraction is dropped', CREATED, '2026-06-09T03:00:00.999Z', '2026-06-09T03:00:00Z from status'],
    ['small letters', CREATED, '2026-06-09t03:00:00z', '2026-06-09T03:00:00Z from status'],
    ['a date alone', CREATED, '2026-06-09', 'unreadable · InvalidTimestamp status.lastScheduleTime'],
    [
      'a day that does not exist',
      CREATED,
      '2026-02-30T00:00:00Z',
      'unreadable · InvalidTimestamp status.lastScheduleTime',
    ],
    ['no zone', CREATED, '2026-06-09T03:00:00', 'unreadable · InvalidTimestamp status.lastScheduleTime'],
    ['an empty text', CREATED, '', 'unreadable · InvalidTimestamp status.lastScheduleTime'],
    ['a number', CREATED, 1_781_060_400, 'unreadable · InvalidTimestamp status.lastScheduleTime'],
    ['a mapping', CREATED, {}, 'unreadable · InvalidTimestamp status.lastScheduleTime'],
    [
      'a creation that is no time',
      'yesterday',
      undefined,
      'unreadable · InvalidTimestamp metadata.creationTimestamp',
    ],
  ])('%s', (_name, created, last, wanted) => {
    expect(shown(created, last)).toBe(wanted);
  });
});
