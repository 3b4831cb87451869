import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration, parseGoDuration } from '#core/time/duration.ts';

describe('a duration of a manifest', () => {
  it.each([
    ['30m', 1800],
    ['1h30m', 5400],
    ['90s', 90],
    ['0', 0],
    ['0m', 0],
    ['45', 45],
    [' 30m ', 1800],
    ['30m1h', 5400],
    ['24h', 86_400],
    ['0090s', 90],
    ['9223372036', 9_223_372_036],
  ])('%j is %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each([
    '',
    ' ',
    '1.5h',
    '500ms',
    '1d',
    '-5m',
    '+5m',
    '1h 30m',
    '30 m',
    'm',
    '30M',
    '\u0663m',
    '9223372037',
    '99999999999h',
    '1h30',
  ])('%j is refused', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it.each([
    [0, '0s'],
    [90, '1m30s'],
    [5400, '1h30m'],
    [3600, '1h'],
    [3661, '1h1m1s'],
    [86_400, '24h'],
    [-90, '-1m30s'],
    [0.4, '0s'],
  ])('%d seconds are written %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

describe('the period of @every', () => {
  it.each([
    ['1h30m', 5400],
    ['90s', 90],
    ['1.5h', 5400],
    ['.5h', 1800],
    ['1.h', 3600],
    ['500ms', 1],
    ['0s', 1],
    ['0', 1],
    ['-1h', 1],
    ['+1h', 3600],
    ['1s999ms', 1],
    ['1999999us', 1],
    ['2000000\u00b5s', 2],
    ['2000000\u03bcs', 2],
    ['2562047h47m16.854775807s', 9_223_372_036],
    ['30m1h', 5400],
  ])('%j is %d seconds', (text, seconds) => {
    expect(parseGoDuration(text)).toBe(seconds);
  });

  it.each([
    '',
    '1',
    '1d',
    ' 1h',
    '1h ',
    '1 h',
    'h',
    '.h',
    '1H',
    '1e3s',
    '2562047h47m16.854775808s',
    '--1h',
    '1h-30m',
    '1_0s',
  ])('%j is refused', (text) => {
    expect(parseGoDuration(text)).toBeUndefined();
  });
});
