import { describe, expect, it } from 'vitest';
import { nameWarnings } from '#api/name-findings.ts';

describe('a name', () => {
  it.each(['a', 'nightly', 'team.nightly-2', '0'])('such as %j is no matter', (name) => {
    expect(nameWarnings(name)).toEqual([]);
  });

  it.each(['toString', '__proto__', 'a b', ' ', 'é', '-a', 'a:b', 'a\\b'])(
    'such as %j is told, since no API server takes it',
    (name) => {
      expect(nameWarnings(name)).toMatchObject([
        { code: 'InvalidMetadata', severity: 'warning', path: ['metadata', 'name'] },
      ]);
    },
  );
});
