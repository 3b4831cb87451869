import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newRedactor } from '#core/capture/redact.ts';
import { maskSecrets, maskText, newMask } from '#core/change/mask.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { RANDOM_FACTOR } from '#test/support/test-length.ts';

const HEX = '3f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a';
const NAME = `kv-${HEX}`;

function object(spec: Json, metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a', ...metadata }, spec };
}

function redacted(spec: Json): Json | undefined {
  const one = object(spec);
  return newRedactor([one]).object(one).spec;
}

const SECRET = fc.constantFrom(
  'hunter2',
  'AKIAIOSFODNN7EXAMPLEwJalrXUtnFEMI',
  HEX,
  'eyJhbGciOi.eyJzdWIi.c2ln',
  '"quoted one"',
  "'quoted two'",
  '"with \\" an escape"',
  'a.b',
  '-----BEGIN KEY-----',
);
const FRAME = fc.constantFrom(
  (secret: string) => `--token=${secret}`,
  (secret: string) => `PGPASSWORD=${secret}`,
  (secret: string) => `"password": ${secret}`,
  (secret: string) => `Authorization: Bearer ${secret}`,
  (secret: string) => `db://u:${secret}@ledger/x`,
  (secret: string) => `password=db://u:${secret}@ledger/x`,
  (secret: string) => `--flag=${secret}`,
  (secret: string) => `secretName=${secret}`,
  (secret: string) => `path/${secret}`,
  (secret: string) => `image@sha256:${secret}`,
  (secret: string) => secret,
);
const PIECE = fc.oneof(
  fc.tuple(FRAME, SECRET).map(([frame, secret]) => frame(secret)),
  fc.constantFrom('and', 'x=1', '-c', 'token', 'a:b', '{', '}', 'ledger'),
);
const TEXT = fc
  .array(fc.tuple(PIECE, fc.constantFrom(' ', ' ', ';', '&', ', ', '.', '\n', "'", '"')), { maxLength: 6 })
  .map((parts) => parts.flat().join(''));

describe('a plan masks the same in a redacted value', () => {
  test('whatever text it is', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const replay = maskText(newRedactor([]).text(text), newMask());
        expect(replay).toBe(maskText(text, newMask()));
      }),
      { numRuns: 3000 * RANDOM_FACTOR },
    );
  });

  test('also beside a name that is an assignment itself', () => {
    const spec = { name: '--token=-----BEGIN KEY----- ', value: '"password": hunter2 and' };
    const replay = maskSecrets(redacted(spec) ?? null, newMask());
    expect(replay).toEqual(maskSecrets(spec, newMask()));
  });

  test('and whatever is made of them', () => {
    const member = fc.constantFrom('value', 'password', 'note', 'args', 'apiToken', 'env', 'name');
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        TEXT,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(member, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, (spec) => {
        const replay = maskSecrets(redacted(spec) ?? null, newMask());
        expect(replay).toEqual(maskSecrets(spec, newMask()));
      }),
      { numRuns: 500 * RANDOM_FACTOR },
    );
  });
});

describe('what others are found by is no secret', () => {
  test('names, and what names them', () => {
    const policy = object(
      { clusterRef: { name: NAME }, note: `defrags ${NAME}` },
      { name: NAME, namespace: 'team' },
    );
    const run = object({ message: `team/${NAME} --policy=${NAME}` }, { labels: { token: HEX } });
    const redactor = newRedactor([policy, run]);
    expect(redactor.object(policy)).toEqual(policy);
    expect(redactor.object(run)).toEqual(run);
    expect(redactor.count()).toBe(0);
  });

  test('labels that select, also below secret names', () => {
    const spec = { selector: { matchLabels: { 'api-token': 'x' } }, template: { labels: { token: 'y' } } };
    expect(redacted(spec)).toEqual(spec);
  });
});

test('data in a text can still be read', () => {
  const text = JSON.stringify({ parameters: { pgPassword: 'a "b" c', mode: 'fast' } });
  const { annotations } = newRedactor([]).object(object({}, { annotations: { note: text } })).metadata;
  expect(JSON.parse(annotations?.['note'] ?? '')).toEqual({
    parameters: { pgPassword: 'eyJmasked-1.x.x', mode: 'fast' },
  });
});
