import { describe, expect, test } from 'vitest';
import { selfSigned } from '#test/support/certificate.ts';
import { connectBy, credentialOf, faultOf, kubeconfigOf, plugin, printing } from './kubeconfig-case.ts';

/** Looks like a token, and no piece of it is in any word of ours. */
const MARKER = 'eyJhbGciQ7zX9vKw2pLm4TqRn8BsYd6Hf';
const PIECE = 6;

function leaks(told: string): readonly string[] {
  const pieces = Array.from({ length: MARKER.length - PIECE + 1 }, (_, at) => MARKER.slice(at, at + PIECE));
  return pieces.filter((piece) => told.includes(piece));
}

async function expectNoLeak(config: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const told = await faultOf(connectBy(config, { files }));
  expect(leaks(told), told).toEqual([]);
  // A message without words would hide everything, too.
  expect(told.length).toBeGreaterThan(30);
  expect(told).not.toContain('\n');
  return told;
}

const HEAD = `apiVersion: v1
kind: Config
current-context: stage
clusters: [{ name: stage, cluster: { server: https://stage.example } }]
contexts: [{ name: stage, context: { cluster: stage, user: ann } }]
`;

/** Text of the user list, after a sound head. */
const YAML: Readonly<Record<string, string>> = {
  'deeper indentation': `users:\n- name: ann\n  user:\n    token: ${MARKER}\n      more: ${MARKER}\n`,
  'shallower indentation': `users:\n- name: ann\n  user:\n    token: ${MARKER}\n   more: ${MARKER}\n`,
  'an entry without a dash': `users:\n- name: ann\n  user: { token: ${MARKER} }\n name: ${MARKER}\n`,
  'a key twice': `users:\n- name: ann\n  user:\n    token: ${MARKER}\n    token: ${MARKER}\n`,
  'a key twice, which is the secret': `users:\n- name: ann\n  user:\n    ${MARKER}: 1\n    ${MARKER}: 2\n`,
  'an open double quote': `users:\n- name: ann\n  user:\n    token: "${MARKER}\n`,
  'an open single quote': `users:\n- name: ann\n  user:\n    token: '${MARKER}\n    more: x\n`,
  'text after a quote': `users:\n- name: ann\n  user:\n    token: "x"${MARKER}\n`,
  'a tab': `users:\n- name: ann\n  user:\n\ttoken: ${MARKER}\n`,
  'a tab after spaces': `users:\n- name: ann\n  user:\n    exec:\n    \ttoken: ${MARKER}\n`,
  'no colon': `users:\n- name: ann\n  user:\n    token ${MARKER}\n    more: x\n`,
  'two colons': `users:\n- name: ann\n  user:\n    token: ${MARKER}: ${MARKER}\n`,
  'an open brace': `users:\n- name: ann\n  user: { token: ${MARKER}\n`,
  'an open bracket': `users: [{ name: ann, user: { token: ${MARKER} }\n`,
  'a word too many in a brace': `users: [{ name: ann, user: { token: "x" ${MARKER} } }]\n`,
  'an alias without an anchor': `users:\n- name: ann\n  user: { token: *${MARKER} }\n`,
  'an alias that is a key': `users:\n- name: ann\n  user:\n    *${MARKER} : x\n`,
  'an anchor twice': `users:\n- name: ann\n  user: { token: &${MARKER} &${MARKER}2 x }\n`,
  'a tag of an unknown handle': `users:\n- name: ann\n  user: { token: !${MARKER}!x y }\n`,
  'a reserved character': `users:\n- name: ann\n  user: { token: @${MARKER} }\n`,
  'a backtick': `users:\n- name: ann\n  user: { token: \`${MARKER}\` }\n`,
  'a percent sign': `users:\n- name: ann\n  user: { token: %${MARKER} }\n`,
  'a wrong escape': `users:\n- name: ann\n  user: { token: "\\${MARKER}" }\n`,
  'a block header': `users:\n- name: ann\n  user:\n    token: |${MARKER}\n      x\n`,
  'a control character': `users:\n- name: ann\n  user: { token: "\u0000${MARKER}" }\n`,
  'a template': `users:\n- name: ann\n  user: { token: {{ .${MARKER} }} }\n`,
  'a merge of a text': `users:\n- name: ann\n  user: { <<: ${MARKER}, token: }\n`,
};

/** What a user entry may be instead of one. */
const USERS: Readonly<Record<string, unknown>> = {
  'a user that is the token': MARKER,
  'a list of it': [MARKER],
  'a key that is the token': { [MARKER]: null },
  'a token in a list': { token: [MARKER] },
  'a token in a mapping': { token: { value: MARKER } },
  'a token over two lines': { token: `${MARKER}\n${MARKER}` },
  'a token with a character of another script': { token: `${MARKER}→` },
  'a token beside a password': { token: MARKER, username: 'ann', password: MARKER },
  'a token under an unknown key': { bearerToken: MARKER },
  'a password that is a list': { username: 'ann', password: [MARKER] },
  'a certificate that is no base64': { 'client-certificate-data': `${MARKER}!`, 'client-key-data': MARKER },
  'a certificate that is no PEM': {
    'client-certificate-data': btoa(MARKER),
    'client-key-data': btoa(MARKER),
  },
  'a key that is no PEM': {
    'client-certificate-data': btoa(selfSigned('ann').cert),
    'client-key-data': btoa(`-----BEGIN PRIVATE KEY-----\n${MARKER}\n-----END PRIVATE KEY-----\n`),
  },
  'a key without a certificate': { 'client-key-data': btoa(MARKER) },
  'an auth-provider that is text': { 'auth-provider': MARKER },
  'an auth-provider named by it': { 'auth-provider': { name: MARKER } },
  'an auth-provider with a list': { 'auth-provider': { name: 'oidc', config: { [MARKER]: [MARKER] } } },
  'an id token that is no JWT': { 'auth-provider': { name: 'oidc', config: { 'id-token': MARKER } } },
  'an id token that is no JSON': {
    'auth-provider': { name: 'oidc', config: { 'id-token': `${btoa(MARKER)}.${btoa(MARKER)}.x` } },
  },
  'an expired token of a provider': {
    'auth-provider': { name: 'azure', config: { 'access-token': MARKER, 'expires-on': '1' } },
  },
  'a command of a provider': {
    'auth-provider': { name: 'gcp', config: { 'cmd-path': '/bin/echo', 'cmd-args': MARKER } },
  },
};

const PLUGINS: Readonly<Record<string, object>> = {
  'that prints the bare token': printing(MARKER),
  'that prints the token in quotes': printing(`"${MARKER}"`),
  'that prints broken JSON': printing(`{"status":{"token":"${MARKER}"`),
  'that prints JSON after words': printing(`token: ${MARKER}\n{}`),
  'that prints another kind': printing({ kind: MARKER, status: { token: MARKER } }),
  'that prints another version': printing(credentialOf({ token: MARKER }, MARKER)),
  'whose status is the token': printing(credentialOf(MARKER)),
  'whose token is in a list': printing(credentialOf({ token: [MARKER] })),
  'whose token has a line break': printing(credentialOf({ token: `${MARKER}\n` })),
  'whose certificate is none': printing(
    credentialOf({ clientCertificateData: MARKER, clientKeyData: MARKER }),
  ),
  'whose time is none': printing(credentialOf({ token: 't', expirationTimestamp: MARKER })),
  'that prints and fails': plugin(`console.log('${MARKER}'); process.exit(1)`),
  'that complains of the token': plugin(`console.error('bad token ${MARKER}'); process.exit(1)`),
  'that complains of a piece of it': plugin(
    `console.log('${MARKER}'); console.error('bad token ${MARKER.slice(3, 14)}'); process.exit(1)`,
  ),
  'that complains of its environment': plugin(
    "console.error('bad ' + process.env.SECRET.slice(1, 12)); process.exit(1)",
    {
      env: [{ name: 'SECRET', value: MARKER }],
    },
  ),
  'with a broken environment': plugin('', { env: [{ name: 'A', value: `${MARKER}\0` }] }),
  'with a broken argument': plugin('', { args: [`${MARKER}\0`] }),
  'with a list as argument': plugin('', { args: [[MARKER]] }),
  'with arguments in its command': plugin('', { command: `no-such-plugin --token ${MARKER}` }),
  'of a version that is the token': plugin('', { apiVersion: MARKER }),
  'of a mode that is the token': plugin('', { interactiveMode: MARKER }),
};

const CLUSTERS: Readonly<Record<string, object>> = {
  'a password in the address': { server: `https://ann:${MARKER}@stage.example` },
  'a password in a broken address': { server: `https://ann:${MARKER}@stage.example:999999` },
  'a password in an address without a scheme': { server: `ann:${MARKER}@stage.example` },
  'a password in a broken proxy': { 'proxy-url': `http://ann:${MARKER}@proxy:999999` },
  'a password in a proxy of an unknown kind': { 'proxy-url': `ftp://ann:${MARKER}@proxy` },
  'an authority that is no base64': { 'certificate-authority-data': `${MARKER}!` },
  'an authority that is no PEM': { 'certificate-authority-data': btoa(MARKER) },
};

describe('no message shows a secret, nor a piece of one', () => {
  test.each(Object.entries(YAML))('of a file with %s', async (_name, users) => {
    await expectNoLeak(`${HEAD}${users}`);
  });

  test.each(Object.entries(USERS))('of %s', async (_name, user) => {
    await expectNoLeak(kubeconfigOf(user));
  });

  test.each(Object.entries(PLUGINS))('of a plugin %s', async (_name, user) => {
    await expectNoLeak(kubeconfigOf(user));
  });

  test.each(Object.entries(CLUSTERS))('of %s', async (_name, cluster) => {
    await expectNoLeak(kubeconfigOf({ token: 't' }, cluster));
  });

  test('of a tokenFile over two lines', async () => {
    await expectNoLeak(kubeconfigOf({ tokenFile: 'token' }), { token: `${MARKER}\n${MARKER}` });
  });

  test('of a file that is the token', async () => {
    await expectNoLeak(MARKER);
  });
});

test('what would leak is found', () => {
  expect(leaks(`Unexpected token 'e', "${MARKER.slice(0, 10)}"... is not valid JSON`)).toHaveLength(5);
});
