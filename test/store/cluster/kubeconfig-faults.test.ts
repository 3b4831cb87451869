import { describe, expect, test } from 'vitest';
import { inClusterConnection } from '#store/cluster/in-cluster.ts';
import { selfSigned } from '#test/support/certificate.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { connectBy, faultOf, kubeconfigOf } from './kubeconfig-case.ts';

const SOUND = kubeconfigOf({});
const CLUSTER = 'the kubeconfig\'s cluster "stage"';
const USER = 'the kubeconfig\'s user "ann"';

function changed(change: (config: Record<string, unknown>) => void): string {
  const config = JSON.parse(SOUND);
  change(config);
  return JSON.stringify(config);
}

describe('a kubeconfig of the wrong shape is told by its place', () => {
  test.each<readonly [string, string, string]>([
    ['text', 'hello', 'it must be a mapping'],
    [
      'a context that is null',
      changed((config) => (config['contexts'] = [null])),
      'contexts[0] must be a mapping',
    ],
    ['lists that are mappings', changed((config) => (config['users'] = { ann: {} })), 'users must be a list'],
    [
      'a user without a name',
      changed((config) => (config['users'] = [{ user: {} }])),
      'users[0].name must be text',
    ],
    [
      'a name that is a number',
      SOUND.replace('"name":"ann"', '"name":7'),
      'users[0].name must be text; quote it',
    ],
    [
      'a current context that is a list',
      changed((config) => (config['current-context'] = [])),
      'current-context must',
    ],
    [
      'a server that is a number',
      kubeconfigOf({}, { server: 6443 }),
      'clusters[0].cluster.server must be text',
    ],
    [
      'a switch that is text',
      kubeconfigOf({}, { 'insecure-skip-tls-verify': 'yes' }),
      'must be true or false',
    ],
    ['an exec that is text', kubeconfigOf({ exec: 'aws' }), 'users[0].user.exec must be a mapping'],
    [
      'arguments that are text',
      kubeconfigOf({ exec: { args: 'eks' } }),
      'users[0].user.exec.args must be a list',
    ],
    [
      'an environment that is a mapping',
      kubeconfigOf({ exec: { env: { A: '1' } } }),
      'exec.env must be a list',
    ],
  ])('%s', async (_name, config, fault) => {
    expect(await faultOf(connectBy(config))).toMatch(
      /^the kubeconfig \S+\/config cannot be used: \S+ must be /,
    );
    expect(await faultOf(connectBy(config))).toContain(fault);
  });
});

test('lists that are null are lists without entries, as for kubectl', async () => {
  const config = changed((all) =>
    Object.assign(all, { users: null, contexts: null, 'current-context': null }),
  );
  expect(await faultOf(connectBy(config))).toContain('has no current context (it has none)');
});

test('fields that are not used pass, whatever they hold', async () => {
  const config = changed((all) => Object.assign(all, { preferences: 7, extensions: 'x', kind: null }));
  expect((await connectBy(config)).server).toBe('https://stage.example:6443');
});

describe('a cluster that cannot be used is told by its name', () => {
  const { cert } = selfSigned('stage');
  test.each<readonly [string, object, string]>([
    ['without a server', { server: null }, `${CLUSTER} has no server; write https://HOST:PORT`],
    [
      'with credentials in its address',
      { server: 'https://a:b@c' },
      `${CLUSTER} has server "https://…@c", with`,
    ],
    [
      'with a proxy that is no URL',
      { 'proxy-url': 'proxy:3128' },
      `${CLUSTER} has a proxy-url that is no URL`,
    ],
    [
      'with a proxy of no port',
      { 'proxy-url': 'http://proxy:99999' },
      `${CLUSTER} has a proxy-url that is no URL`,
    ],
    [
      'with a proxy of an unknown kind',
      { 'proxy-url': 'ssh://proxy' },
      `${CLUSTER} has a proxy-url that is no URL`,
    ],
    [
      'with data that are no base64',
      { 'certificate-authority-data': cert },
      `certificate-authority-data of ${CLUSTER} is no base64`,
    ],
    [
      'with data that are no certificate',
      { 'certificate-authority-data': btoa('hello') },
      `certificate-authority-data of ${CLUSTER} is no certificate in PEM`,
    ],
    [
      'with a file that is not there',
      { 'certificate-authority': 'no.crt' },
      `certificate-authority of ${CLUSTER} cannot be read: ENOENT`,
    ],
  ])('%s', async (_name, cluster, fault) => {
    expect(await faultOf(connectBy(kubeconfigOf({}, cluster)))).toContain(fault);
  });
});

describe('the files of a kubeconfig', () => {
  const ann = selfSigned('ann');
  const files = { 'pki/ca.crt': ann.cert, 'pki/ann.crt': ann.cert, 'pki/ann.key': ann.key };
  const fields = { 'client-certificate': 'pki/ann.crt', 'client-key': 'pki/ann.key' };

  test('are found from its folder', async () => {
    const config = kubeconfigOf(fields, { 'certificate-authority': 'pki/ca.crt' });
    const { tls } = await connectBy(config, { files });
    expect(tls).toEqual({
      ca: Buffer.from(ann.cert),
      cert: Buffer.from(ann.cert),
      key: Buffer.from(ann.key),
    });
  });

  test('stand back behind data', async () => {
    const other = selfSigned('other');
    const data = { 'client-certificate-data': btoa(other.cert), 'client-key-data': btoa(other.key) };
    const { tls } = await connectBy(kubeconfigOf({ ...fields, ...data }), { files });
    expect(tls).toEqual({ cert: Buffer.from(other.cert), key: Buffer.from(other.key) });
  });

  test.each<readonly [string, object, string]>([
    [
      'a certificate alone',
      { 'client-certificate': 'pki/ann.crt' },
      `${USER} has a client-certificate and no`,
    ],
    ['a key alone', { 'client-key': 'pki/ann.key' }, `${USER} has a client-key and no client-certificate`],
    [
      'a file that is not there',
      { ...fields, 'client-key': 'no.key' },
      `client-key of ${USER} cannot be read: ENOENT`,
    ],
    [
      'a certificate that is a key',
      { ...fields, 'client-certificate': 'pki/ann.key' },
      'is no certificate in PEM',
    ],
    ['a key that is a certificate', { ...fields, 'client-key': 'pki/ann.crt' }, 'is no private key in PEM'],
    [
      'a key of somebody else',
      { ...fields, 'client-key-data': btoa(selfSigned('eve').key) },
      `client-key-data of ${USER} does not belong to its certificate`,
    ],
  ])('%s', async (_name, user, fault) => {
    expect(await faultOf(connectBy(kubeconfigOf(user), { files }))).toContain(fault);
  });
});

test('a name to act as that no header can carry is told', async () => {
  const told = await faultOf(connectBy(kubeconfigOf({}), { request: { as: 'ann\nbob' } }));
  expect(told).toContain('the name to act as has a character that no request can carry');
});

test('a proxy that is one is used', async () => {
  for (const url of ['http://proxy:3128', 'https://ann:secret@proxy', 'socks5://proxy:1080']) {
    const connection = await connectBy(kubeconfigOf({}, { 'proxy-url': url }));
    expect(connection.agent).toBeDefined();
  }
});

describe('a pod whose credentials cannot be used', () => {
  const ENV = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  test.each([
    ['an empty token', '\n', "the service account's token is empty"],
    [
      'a token over two lines',
      'one\ntwo',
      "the service account's token has a character that no request can carry",
    ],
  ])('%s', async (_name, token, fault) => {
    const folder = await temporaryFolder({ token, 'ca.crt': 'ca' });
    expect(() => inClusterConnection(ENV, folder)).toThrow(fault);
  });

  test('a port that is none', async () => {
    const folder = await temporaryFolder({ token: 't', 'ca.crt': 'ca' });
    expect(() => inClusterConnection({ ...ENV, KUBERNETES_SERVICE_PORT: 'tcp' }, folder)).toThrow(
      'are no host and port',
    );
  });
});
