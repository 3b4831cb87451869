import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import {
  authorizationOf,
  connectBy,
  credentialOf,
  faultOf,
  kubeconfigOf,
  plugin,
  printing,
} from './kubeconfig-case.ts';

describe('a tokenFile', () => {
  const RELATIVE = kubeconfigOf({ tokenFile: 'secrets/token' });

  test('is found from the folder of the kubeconfig, and trimmed', async () => {
    const connection = await connectBy(RELATIVE, { files: { 'secrets/token': '  from-the-file\n' } });
    expect(await authorizationOf(connection)).toBe('Bearer from-the-file');
  });

  test('wins over a token beside it', async () => {
    const config = kubeconfigOf({ token: 'written', tokenFile: 'token' });
    expect(await authorizationOf(await connectBy(config, { files: { token: 'read' } }))).toBe('Bearer read');
  });

  test('is read anew when the server refuses its token, and an unreadable one leaves the old token', async () => {
    const file = join(await temporaryFolder({ token: 'first' }), 'token');
    const connection = await connectBy(kubeconfigOf({ tokenFile: file }));
    await writeFile(file, 'second');
    expect(await authorizationOf(connection)).toBe('Bearer first');
    expect(await connection.credentials(true)).toEqual({ Authorization: 'Bearer second' });
    await rm(file);
    expect(await faultOf(connection.credentials(true))).toContain(`the tokenFile ${file}`);
    expect(await authorizationOf(connection)).toBe('Bearer second');
  });

  test.each([
    ['missing', undefined, 'cannot be read: ENOENT'],
    ['empty', ' \n', 'is empty'],
    ['broken over two lines', 'one\ntwo', 'has a character that no request can carry'],
  ])('that is %s is named', async (_name, text, fault) => {
    const files = text === undefined ? {} : { 'secrets/token': text };
    const told = await faultOf(connectBy(RELATIVE, { files }));
    expect(told).toMatch(/^the tokenFile \S+\/secrets\/token of the kubeconfig's user "ann" /);
    expect(told).toContain(fault);
  });
});

test('a username and a password are sent as basic authentication, in UTF-8', async () => {
  const connection = await connectBy(kubeconfigOf({ username: 'ann', password: 'schön' }));
  expect(await authorizationOf(connection)).toBe(`Basic ${Buffer.from('ann:schön').toString('base64')}`);
});

test('a username without a password is sent without one', async () => {
  const connection = await connectBy(kubeconfigOf({ username: 'ann' }));
  expect(await authorizationOf(connection)).toBe(`Basic ${Buffer.from('ann:').toString('base64')}`);
});

test('a user acts as another where its entry says so, and --as wins', async () => {
  const config = kubeconfigOf({ token: 't', as: 'eve' });
  const headersWith = async (request: object) => (await connectBy(config, { request })).credentials(false);
  expect(await headersWith({})).toMatchObject({ 'Impersonate-User': 'eve' });
  expect(await headersWith({ as: 'bob' })).toMatchObject({ 'Impersonate-User': 'bob' });
});

test('a plugin is not asked where a token is written down', async () => {
  const config = kubeconfigOf({ token: 'written', ...plugin('process.exit(1)') });
  expect(await authorizationOf(await connectBy(config))).toBe('Bearer written');
});

describe('nobody is who asks', () => {
  test.each([
    ['a user with no fields', {}],
    ['a user that is null', null],
    ['a user that only acts as another', { as: 'eve' }],
  ])('%s', async (_name, user) => {
    expect(await authorizationOf(await connectBy(kubeconfigOf(user)))).toBeUndefined();
  });

  test('a context without a user', async () => {
    const config = kubeconfigOf({}).replace('"user":"ann"', '"user":""');
    expect(await (await connectBy(config)).credentials(false)).toEqual({});
  });
});

describe('credentials that are named and cannot be had are an error, never anonymity', () => {
  const expired = { name: 'azure', config: { 'access-token': 'old', expiry: '2020-01-01T00:00:00Z' } };
  test.each<readonly [string, unknown, string]>([
    ['a token that is null', { token: null }, 'gives no credentials: token has no value'],
    ['a token that is empty', { token: '' }, 'gives no credentials: token has no value'],
    ['a tokenFile that is null', { tokenFile: null }, 'gives no credentials: tokenFile has no value'],
    ['an exec that is null', { exec: null }, 'gives no credentials: exec has no value'],
    [
      'fields that are not known',
      { 'token-file': '/token' },
      'gives no credentials: its fields are not known',
    ],
    ['a user that is text', 'ann', 'users[0].user must be a mapping'],
    ['a token that is a number', { token: 12345 }, 'users[0].user.token must be text; quote it'],
    ['a plugin that prints null', printing('null'), 'printed no ExecCredential in JSON'],
    ['a plugin that prints nothing', printing(''), 'printed no ExecCredential in JSON'],
    ['a plugin without a status', printing(credentialOf(undefined)), 'an ExecCredential without a status'],
    ['a plugin without credentials', printing(credentialOf({})), 'neither a token nor a client certificate'],
    ['a plugin whose token is a number', printing(credentialOf({ token: 1 })), 'neither a token nor'],
    ['an expired auth-provider', { 'auth-provider': expired }, 'auth-provider azure of the kubeconfig'],
    ['an auth-provider without config', { 'auth-provider': { name: 'gcp' } }, 'gave no valid token; log in'],
    [
      'an auth-provider that says nothing',
      { 'auth-provider': { name: 'oidc', config: {} } },
      'no valid token',
    ],
    ['an unknown auth-provider', { 'auth-provider': { name: 'openstack' } }, 'is not known; use exec'],
    ['an auth-provider without a name', { 'auth-provider': {} }, 'is not known; use exec'],
    ['a token and a username', { token: 't', username: 'ann' }, 'both a token and a username or password'],
    [
      'a plugin and an auth-provider',
      { ...plugin(''), 'auth-provider': expired },
      'both exec and auth-provider',
    ],
  ])('%s', async (_name, user, fault) => {
    expect(await faultOf(connectBy(kubeconfigOf(user)))).toContain(fault);
  });
});

test('the token of an auth-provider that is still good is sent', async () => {
  const config = { 'access-token': 'good', expiry: '2099-01-01T00:00:00Z' };
  const connection = await connectBy(kubeconfigOf({ 'auth-provider': { name: 'azure', config } }));
  expect(await authorizationOf(connection)).toBe('Bearer good');
});

test('a command of an auth-provider is not run', async () => {
  const folder = await temporaryFolder();
  const config = { 'cmd-path': '/usr/bin/touch', 'cmd-args': join(folder, 'ran'), 'token-key': '{.t}' };
  const told = await faultOf(connectBy(kubeconfigOf({ 'auth-provider': { name: 'gcp', config } })));
  expect(told).toContain('gave no valid token');
  await expect(rm(join(folder, 'ran'))).rejects.toThrow('ENOENT');
});
