import { describe, expect, it } from 'vitest';
import { findUnquotedCron } from '#source/yaml/unquoted-cron.ts';

describe('an expression without quotes', () => {
  it.each([
    ['  schedule: */5 * * * *', '*/5 * * * *', 12],
    ['  schedule: * * * * *', '* * * * *', 12],
    ['  schedule: *', '*', 12],
    ['  schedule: */5 8,18 * * *  # twice a day', '*/5 8,18 * * *', 12],
    ['  - */5 * * * *', '*/5 * * * *', 4],
    ['spec: {schedule: */5 * * * *, suspend: no}', '*/5 * * * *', 17],
    ['crons: [*/5 * * * *, 0 3 * * *]', '*/5 * * * *', 8],
    ['  schedule: @daily', '@daily', 12],
    ['  schedule: @every 1h30m', '@every 1h30m', 12],
  ])('is found in `%s`', (line, expression, column) => {
    expect(findUnquotedCron(line)).toEqual({ expression, column });
  });

  it.each(['  schedule: *nightly', '  schedule: 0 3 * * *: x', '  owner: @team', '  a: b', ''])(
    'is not seen in `%s`',
    (line) => {
      expect(findUnquotedCron(line)).toBeUndefined();
    },
  );
});
