import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect as connectTo } from '#store/cluster/connect.ts';
import { type Connection, ConnectionError } from '#store/cluster/connection.ts';
import { inClusterConnection, isInCluster } from '#store/cluster/in-cluster.ts';
import {
  type Environment,
  type KubeconfigRequest,
  kubeconfigFiles,
} from '#store/cluster/kubeconfig-files.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

interface Named {
  readonly name: string;
}

function kubeconfig(parts: {
  readonly clusters?: readonly (Named & { readonly cluster: object })[];
  readonly users?: readonly (Named & { readonly user: object })[];
  readonly contexts?: readonly (Named & { readonly context: object })[];
  readonly current?: string;
}): string {
  const { clusters = [], users = [], contexts = [], current } = parts;
  const all = { apiVersion: 'v1', kind: 'Config', clusters, users, contexts };
  return JSON.stringify(current === undefined ? all : { ...all, 'current-context': current });
}

const STAGE = kubeconfig({
  clusters: [
    { name: 'stage', cluster: { server: 'https://stage.example:6443/' } },
    { name: 'prod', cluster: { server: 'https://prod.example:6443' } },
  ],
  users: [
    { name: 'ann', user: { token: 'token-of-ann' } },
    { name: 'bob', user: { username: 'bob', password: 'secret' } },
  ],
  contexts: [
    { name: 'stage', context: { cluster: 'stage', user: 'ann' } },
    { name: 'prod', context: { cluster: 'prod', user: 'bob' } },
  ],
  current: 'stage',
});

function connect(request: KubeconfigRequest, env: Environment): Promise<Connection> {
  return connectTo(request, { env, timeoutMs: 10_000, stop: new AbortController().signal, clock: Date.now });
}

/** Server and headers of a connection. */
async function seen(connection: Connection): Promise<readonly [string, Readonly<Record<string, string>>]> {
  return [connection.server, await connection.credentials(false)];
}

async function connectIn(
  files: Readonly<Record<string, string>>,
  request: (folder: string) => KubeconfigRequest,
  env: (folder: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<Connection> {
  const folder = await temporaryFolder(files);
  return connect(request(folder), env(folder));
}

const named = (folder: string): KubeconfigRequest => ({ kubeconfig: join(folder, 'config') });

describe('a kubeconfig', () => {
  test('gives server and credentials of its current context', async () => {
    const connection = await connectIn({ config: STAGE }, named);
    expect(await seen(connection)).toEqual([
      'https://stage.example:6443',
      { Authorization: 'Bearer token-of-ann' },
    ]);
    expect(connection.description).toBe('cluster https://stage.example:6443');
  });

  test('gives those of another context, cluster or user', async () => {
    const basic = { Authorization: `Basic ${btoa('bob:secret')}` };
    const ask = async (more: KubeconfigRequest) =>
      seen(await connectIn({ config: STAGE }, (folder) => ({ ...named(folder), ...more })));
    expect(await ask({ context: 'prod' })).toEqual(['https://prod.example:6443', basic]);
    expect(await ask({ cluster: 'prod' })).toEqual([
      'https://prod.example:6443',
      { Authorization: 'Bearer token-of-ann' },
    ]);
    expect(await ask({ user: 'bob' })).toEqual(['https://stage.example:6443', basic]);
  });

  test('acts as somebody else', async () => {
    const [, headers] = await seen(
      await connectIn({ config: STAGE }, (folder) => ({ ...named(folder), as: 'system:serviceaccount:a:b' })),
    );
    expect(headers).toMatchObject({ 'Impersonate-User': 'system:serviceaccount:a:b' });
  });

  test('reads a token that was replaced meanwhile', async () => {
    const folder = await temporaryFolder({ config: STAGE });
    const connection = await connect(named(folder), {});
    await writeFile(join(folder, 'config'), STAGE.replace('token-of-ann', 'newer-token'));
    expect(await connection.credentials(false)).toEqual({ Authorization: 'Bearer token-of-ann' });
    expect(await connection.credentials(true)).toEqual({ Authorization: 'Bearer newer-token' });
  });

  test('speaks plain HTTP to a local proxy, as kubectl does', async () => {
    const plain = STAGE.replace('https://stage.example:6443/', 'http://127.0.0.1:8001');
    expect((await seen(await connectIn({ config: plain }, named)))[0]).toBe('http://127.0.0.1:8001');
  });

  test('is found in a list: of two entries of one name the first counts, and a missing file is no fault', async () => {
    const second = kubeconfig({
      clusters: [
        { name: 'stage', cluster: { server: 'https://other.example' } },
        { name: 'more', cluster: { server: 'https://more.example' } },
      ],
      contexts: [{ name: 'more', context: { cluster: 'more', user: 'ann' } }],
      current: 'more',
    });
    const env = (folder: string) => ({
      KUBECONFIG: ['missing', 'config', 'second'].map((name) => join(folder, name)).join(':'),
    });
    const files = { config: STAGE, second };
    expect((await seen(await connectIn(files, () => ({}), env)))[0]).toBe('https://stage.example:6443');
    expect(await seen(await connectIn(files, () => ({ context: 'more' }), env))).toEqual([
      'https://more.example',
      { Authorization: 'Bearer token-of-ann' },
    ]);
  });

  test('is not looked for in the working directory of a process without a home', () => {
    expect(kubeconfigFiles({}, {})).toEqual([]);
    expect(kubeconfigFiles({}, { HOME: '' })).toEqual([]);
  });

  test('is found at home', async () => {
    const folder = await temporaryFolder({ '.kube/config': STAGE });
    expect((await seen(await connect({}, { HOME: folder })))[0]).toBe('https://stage.example:6443');
  });
});

describe('a kubeconfig that cannot be used says what is wrong', () => {
  const noContext = kubeconfig({ contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }] });
  const rows: readonly (readonly [string, string, KubeconfigRequest, string])[] = [
    ['an unknown context', STAGE, { context: 'test' }, 'no context named "test"; it has stage, prod'],
    ['an unknown cluster', STAGE, { cluster: 'test' }, 'no cluster named "test"; it has stage, prod'],
    ['an unknown user', STAGE, { user: 'eve' }, 'no user named "eve"; it has ann, bob'],
    ['no current context', noContext, {}, 'no current context (it has a); choose one with --context'],
    ['an empty file', '', {}, 'no current context (it has none)'],
    ['no kubeconfig', '[]', {}, 'cannot be used: it must be a mapping'],
  ];
  test.each(rows)('%s', async (_name, config, request, message) => {
    const connecting = connectIn({ config }, (folder) => ({ ...named(folder), ...request }));
    await expect(connecting).rejects.toThrow(message);
  });

  test.each([
    ['foo', 'write https://foo'],
    ['foo:6443', 'write https://foo:6443'],
    ['127.0.0.1:6443', 'write https://127.0.0.1:6443'],
    ['://foo', 'write https://HOST:PORT'],
    ['ftp://foo', 'write https://HOST:PORT'],
    ['https:', 'write https://HOST:PORT'],
    ['https://foo bar', 'write https://HOST:PORT'],
    ['https://foo:999999', 'write https://HOST:PORT'],
  ])('a server that is no URL: %s', async (server, fix) => {
    const config = kubeconfig({
      clusters: [{ name: 'test', cluster: { server } }],
      contexts: [{ name: 'test', context: { cluster: 'test' } }],
      current: 'test',
    });
    const connecting = connectIn({ config }, named);
    const shown = JSON.stringify(server);
    await expect(connecting).rejects.toThrow(ConnectionError);
    await expect(connecting).rejects.toThrow(
      `the kubeconfig's cluster "test" has server ${shown}, which is no URL; ${fix}`,
    );
  });

  test.each([
    ['{', ':1:2 cannot be read: a bracket or brace is not closed'],
    [
      'users:\n- name: a\n  user: {token: secret}\n b: [\n',
      ':4:1 cannot be read: the indentation is wrong, or an entry of a list has no dash',
    ],
    ['a: 1\na: 2\n', ':2:1 cannot be read: a key stands twice in one mapping'],
    ['a: "b\nc: 1\n', ':3:1 cannot be read: a quote is not closed'],
    ['a:\n\tb: 1\n', ':2:1 cannot be read: a tab indents, where spaces must'],
  ])('no YAML, in one line with its place and none of its contents: %j', async (config, message) => {
    const folder = await temporaryFolder({ config });
    const file = join(folder, 'config');
    await expect(connect({ kubeconfig: file }, {})).rejects.toThrow(
      new ConnectionError(`the kubeconfig ${file}${message}`),
    );
  });

  test('a file that is not there', async () => {
    await expect(connectIn({}, named)).rejects.toThrow('cannot be read: ENOENT');
  });

  test('none at all', async () => {
    await expect(connect({}, { HOME: '/nowhere' })).rejects.toThrow('no cluster to read');
  });
});

describe('a pod', () => {
  const ENV = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

  test('is known by what the kubelet puts into its environment', () => {
    expect([isInCluster(ENV), isInCluster({})]).toEqual([true, false]);
  });

  test('speaks with the token of its service account, also with a newer one', async () => {
    const folder = await temporaryFolder({ token: 'first\n', 'ca.crt': 'the authority' });
    const connection = inClusterConnection(ENV, folder);
    expect(await seen(connection)).toEqual(['https://10.0.0.1:443', { Authorization: 'Bearer first' }]);
    expect(connection.tls).toEqual({ ca: 'the authority' });
    await writeFile(join(folder, 'token'), 'second');
    expect(await connection.credentials(false)).toEqual({ Authorization: 'Bearer first' });
    expect(await connection.credentials(true)).toEqual({ Authorization: 'Bearer second' });
  });

  test('writes an IPv6 address in brackets', async () => {
    const folder = await temporaryFolder({ token: 't', 'ca.crt': 'ca' });
    const env = { ...ENV, KUBERNETES_SERVICE_HOST: 'fd00::1' };
    expect(inClusterConnection(env, folder).server).toBe('https://[fd00::1]:443');
  });

  test('without a mounted token says what is missing', async () => {
    const folder = await temporaryFolder({});
    expect(() => inClusterConnection(ENV, folder)).toThrow('automountServiceAccountToken: true');
  });

  test('obeys a kubeconfig at home, as kubectl does', async () => {
    const folder = await temporaryFolder({ '.kube/config': STAGE });
    const connection = await connect({}, { ...ENV, HOME: folder });
    expect(connection.server).toBe('https://stage.example:6443');
  });

  test('is no place where flags choose a context', async () => {
    await expect(connect({ context: 'prod' }, { ...ENV, HOME: '/nowhere' })).rejects.toThrow('no cluster');
  });

  test('obeys a kubeconfig that is named', async () => {
    const connection = await connectIn({ config: STAGE }, named, () => ENV);
    expect(connection.server).toBe('https://stage.example:6443');
  });
});
