import { describe, expect, test } from 'vitest';
import { maskSecrets, maskText, newMask } from '#core/change/mask.ts';
import type { Json } from '#core/object/object.ts';

function text(value: string): string {
  return maskText(value, newMask());
}

describe('a secret inside a text is masked, the rest stays readable', () => {
  const rows: readonly (readonly [name: string, given: string, want: string])[] = [
    ['variable before a command', 'PGPASSWORD=hunter3 pg_dump -h db', 'PGPASSWORD=(masked 1) pg_dump -h db'],
    [
      'keyword in the middle of the name',
      'AWS_SECRET_ACCESS_KEY=abc X=y',
      'AWS_SECRET_ACCESS_KEY=(masked 1) X=y',
    ],
    ['flag', '--token=abc123 --verbose', '--token=(masked 1) --verbose'],
    ['password of an address', 'db://u:s3cr3t@ledger/x', 'db://u:(masked 1)@ledger/x'],
    ['header', 'curl -H "Authorization: Bearer abc" x', 'curl -H "Authorization: Bearer (masked 1)" x'],
    ['quoted value with blanks', "password='a b' c", 'password=(masked 1) c'],
    ['member of JSON', '{"password": "x y"}', '{"password": (masked 1)}'],
    ['member of JSON with an escape', '{"token": "a\\"b", "x": 1}', '{"token": (masked 1), "x": 1}'],
    ['inside another quoted flag', '--conn="host=x password=y"', '--conn="host=x password=(masked 1)"'],
    [
      'address inside an assignment',
      'password=db://u:s3cr3t@ledger/x and token=b',
      'password=(masked 1) and token=(masked 2)',
    ],
    [
      'secrets of several forms, by their place',
      '--token=a db://u:b@c',
      '--token=(masked 1) db://u:(masked 2)@c',
    ],
    ['web token', 'got eyJhbGciOi.eyJzdWIi.c2ln back', 'got (masked 1) back'],
    ['long key', 'key AKIAIOSFODNN7EXAMPLEwJalrXUtnFEMI is', 'key (masked 1) is'],
    ['flag with a long key', '--id=AKIAIOSFODNN7EXAMPLEwJalrXUtnFEMI', '--id=(masked 1)'],
    ['certificate', 'x -----BEGIN RSA PRIVATE KEY-----\nabc', '(masked 1)'],
    [
      'the same secret twice',
      'token=a1 token=b2 token=a1',
      'token=(masked 1) token=(masked 2) token=(masked 1)',
    ],
  ];
  test.each(rows)('%s', (_name, given, want) => {
    expect(text(given)).toBe(want);
  });
});

describe('what is no secret stays visible', () => {
  test.each([
    ['uid', '6b1c8d1e-3f52-4f6e-9b0a-0123456789ab'],
    ['long name of a run', 'postgres-backup-nightly-in-harbor-29735120'],
    ['path', '/var/lib/postgresql/data/pgdata16/base'],
    ['image by digest', `postgres@sha256:${'0123456789abcdef'.repeat(4)}`],
    ['long flag', '--retention-policy=keep-last-30-days-x1y'],
    ['shell variable', 'export TOKEN=$(cat /run/token)'],
    ['name of a reference', 'imagePullSecrets: Required value'],
    ['word that only begins like one', 'passive=1 --bypass-cache=2'],
    ['address without a password', 'https://harbor.example:8443/v2/x@y'],
  ])('%s', (_name, given) => {
    expect(text(given)).toBe(given);
  });
});

test('members with secret names and values of secret variables are masked, references are not', () => {
  const given: Json = {
    env: [
      { name: 'PGPASSWORD', value: 'hunter3' },
      { name: 'DB', value: 'ledger' },
      { name: 'API_KEY', valueFrom: { secretKeyRef: { name: 'pg', key: 'password' } } },
    ],
    command: ['login', '--password', 'hunter3', 'ledger'],
    imagePullSecrets: [{ name: 'regcred' }],
    volumes: [{ secret: { secretName: 'pg' } }],
    replicas: 3,
    clientSecret: '',
  };
  expect(maskSecrets(given, newMask())).toEqual({
    env: [
      { name: 'PGPASSWORD', value: '(masked 1)' },
      { name: 'DB', value: 'ledger' },
      { name: 'API_KEY', valueFrom: { secretKeyRef: { name: 'pg', key: 'password' } } },
    ],
    command: ['login', '--password', '(masked 1)', 'ledger'],
    imagePullSecrets: [{ name: 'regcred' }],
    volumes: [{ secret: { secretName: 'pg' } }],
    replicas: 3,
    clientSecret: '',
  });
});

describe('a value is masked by its name, its variable or its look', () => {
  const rows: readonly (readonly [name: string, given: Json, want: Json])[] = [
    ['a member with a telling name', { password: 'hunter2' }, { password: '(masked 1)' }],
    [
      'a member deep inside',
      { spec: { auth: { apiKey: 'k' } } },
      { spec: { auth: { apiKey: '(masked 1)' } } },
    ],
    [
      'a variable with a telling name',
      { name: 'GITHUB_TOKEN', value: 'x' },
      { name: 'GITHUB_TOKEN', value: '(masked 1)' },
    ],
    [
      'a long mixed run of characters',
      { note: 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7' },
      { note: '(masked 1)' },
    ],
    ['a private key', { data: '-----BEGIN PRIVATE KEY-----\nabc' }, { data: '(masked 1)' }],
    ['a web token', { header: 'eyJhbGciOi.payload.sig' }, { header: '(masked 1)' }],
    [
      'every item of a telling list',
      { tokens: ['a'], token: ['b', 'c'] },
      { token: ['(masked 1)', '(masked 2)'], tokens: ['(masked 3)'] },
    ],
  ];
  test.each(rows)('%s', (_name, given, want) => {
    expect(maskSecrets(given, newMask())).toEqual(want);
  });
});

describe('a value that only stands near a secret is left alone', () => {
  const rows: readonly (readonly [name: string, value: Json])[] = [
    ['the name of a secret', { secretName: 'pg-credentials' }],
    ['a reference to a secret', { valueFrom: { secretKeyRef: { name: 'pg-credentials', key: 'password' } } }],
    ['an image', { image: 'registry.example/team/tool:1.2.3' }],
    ['a uid', { uid: '7c1f6a0e-2d55-4a8e-9b1a-0f4c6e1d2a33' }],
    ['an empty value', { password: '' }],
    ['numbers and booleans', { password: true, token: 5 }],
  ];
  test.each(rows)('%s', (_name, value) => {
    expect(maskSecrets(value, newMask())).toEqual(value);
  });
});

test('equal values have equal numbers across the objects of one mask', () => {
  const mask = newMask();
  const values = [{ password: 'a' }, { password: 'b' }, { token: 'a' }].map((value) =>
    maskSecrets(value, mask),
  );
  expect(values).toEqual([{ password: '(masked 1)' }, { password: '(masked 2)' }, { token: '(masked 1)' }]);
});

test('the copy of the whole object that kubectl keeps is left out', () => {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"password":"x"}' };
  expect(maskSecrets({ annotations }, newMask())).toEqual({
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '(left out)' },
  });
});

test('the order of members changes no number', () => {
  const one = maskSecrets({ aToken: 'x', bToken: 'y' }, newMask());
  const other = maskSecrets({ bToken: 'y', aToken: 'x' }, newMask());
  expect(other).toEqual(one);
});

test('a long text without any secret is looked through once, whatever it is made of', () => {
  for (const piece of [
    'a',
    '=',
    '-',
    'a-',
    'eyJ-',
    'a:/',
    'pass',
    'token',
    'secret-',
    'x=',
    'http://a:',
    'A1',
  ]) {
    const long = `${piece.repeat(Math.ceil(300_000 / piece.length))}.`;
    expect(text(long).length).toBeGreaterThan(0);
  }
}, 20_000);
