import { describe, expect, it } from 'vitest';
import { openZone } from '#core/time/zone.ts';
import { zoneNameProblem } from '#core/time/zone-name.ts';
import { isZoneName, zoneNames } from '#core/time/zone-names.ts';

describe('a zone name', () => {
  it.each([
    'UTC',
    'Etc/UTC',
    'US/Pacific',
    'Europe/Kiev',
    'Europe/Kyiv',
    'Asia/Calcutta',
    'GB-Eire',
    'Etc/GMT+12',
    'EST5EDT',
  ])('%s is fine', (name) => {
    expect(zoneNameProblem(name)).toBeUndefined();
  });

  it.each([
    ['europe/berlin', 'write Europe/Berlin'],
    ['Europe/Berln', 'write Europe/Berlin'],
    ['EUROPE/BERLIN', 'write Europe/Berlin'],
    [' Europe/Berlin', 'write Europe/Berlin'],
    ['Europe/Berlin\n', 'write Europe/Berlin'],
    ['Berlin', 'write Europe/Berlin'],
    ['America/New York', 'write America/New_York'],
    ['utc', 'write UTC'],
    ['posix/Europe/Berlin', 'write Europe/Berlin'],
    ['US/Pacific-New', 'write US/Pacific'],
    ['+03:00', 'write a place, such as Europe/Berlin, or Etc/GMT-3 (the sign is turned round there)'],
    ['UTC+3', 'write a place, such as Europe/Berlin, or Etc/GMT-3 (the sign is turned round there)'],
    ['GMT-5', 'write a place, such as Europe/Berlin, or Etc/GMT+5 (the sign is turned round there)'],
    ['-13:00', 'write a place, such as Europe/Berlin'],
    ['local', 'name the zone, such as Europe/Berlin'],
    ['Local', 'name the zone, such as Europe/Berlin'],
    ['localtime', 'name the zone, such as Europe/Berlin'],
    ['system', 'name the zone, such as Europe/Berlin'],
    ['', 'leave it out or write UTC'],
  ])('%j is refused, and the fix is: %s', (name, fix) => {
    expect(zoneNameProblem(name)?.fix).toBe(fix);
  });

  it.each([
    'Factory',
    'posixrules',
    'Europe',
    'Europe/',
    '/Europe/Berlin',
    'Europe/Berlin/',
    '../Europe/Berlin',
    'x'.repeat(5000),
    '__proto__',
  ])('%j is refused', (name) => {
    expect(zoneNameProblem(name)?.what).toMatch(/^unknown time zone/);
  });

  it('stays as written: a link is not replaced by what it points to', () => {
    expect(openZone('Asia/Calcutta').name).toBe('Asia/Calcutta');
  });
});

describe('the list of names', () => {
  it('has everything that the runtime lists, and nothing that it cannot open', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isZoneName(name))).toEqual([]);
    expect(zoneNames().filter((name) => zoneNameProblem(name) !== undefined)).toEqual([]);
    expect(zoneNames()).toHaveLength(597);
    expect(zoneNames().filter((name) => !isZoneName(name))).toEqual([]);
  });
});
