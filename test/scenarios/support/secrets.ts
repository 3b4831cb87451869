import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';

/** What nobody may find in a capture. */
export const SECRETS = {
  short: 'hunter2-Zq',
  key: 'AKIAIOSFODNN7EXAMPLEwJalrXUtnFEMI',
  hex: '3f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a',
  webToken: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl',
  address: 'p4ssInAddress',
  assigned: 'assignedValue7',
  quoted: 'quoted value eight',
  nested: 'pgp4ss-nested',
  pem: 'MIIEowIBAAKCAQEAsecretline',
} as const;

const VARIABLES: readonly JsonObject[] = [
  { name: 'PGPASSWORD', value: SECRETS.short },
  { name: 'LICENCE', value: SECRETS.key },
  { name: 'DIGEST', value: SECRETS.hex },
  { name: 'HEADER', value: `Bearer ${SECRETS.webToken}` },
  { name: 'DB', value: `postgres://backup:${SECRETS.address}@ledger/main` },
  { name: 'AGAIN_TOKEN', value: SECRETS.short },
  { name: 'NESTED', value: `password=postgres://u:${SECRETS.nested}@ledger/x and more` },
  { name: 'CERT', value: `-----BEGIN RSA PRIVATE KEY-----\n${SECRETS.pem}\n-----END RSA PRIVATE KEY-----` },
  { name: 'PLAIN', value: 'debug' },
];

const COMMAND: readonly Json[] = [
  'sh',
  '-c',
  `curl -H "Authorization: Bearer ${SECRETS.webToken}" --token=${SECRETS.assigned} db://u:${SECRETS.address}@h/x`,
  '--password',
  SECRETS.short,
  `password="${SECRETS.quoted}"; echo ${SECRETS.key}`,
];

const ANNOTATIONS: Readonly<Record<string, string>> = {
  'kubectl.kubernetes.io/last-applied-configuration': `{"password":"${SECRETS.short}"}`,
  'example.com/api-token': SECRETS.short,
  'example.com/note': `see https://u:${SECRETS.address}@docs/ with ${SECRETS.hex}`,
  'example.com/json': `{"password": "${SECRETS.quoted}", "a\\"b": {"token": "a\\"${SECRETS.assigned}"}}`,
};

function withVariables(value: Json): Json {
  if (Array.isArray(value)) return value.map(withVariables);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => {
    if (key !== 'containers' || !Array.isArray(member)) return [key, withVariables(member)] as const;
    const containers = member.map((container: Json) =>
      isObject(container) ? { ...container, env: VARIABLES, args: COMMAND } : container,
    );
    return [key, containers] as const;
  });
  const annotated = members.map(([key, member]) => {
    if (key !== 'jobTemplate' || !isObject(member)) return [key, member] as const;
    return [key, { ...member, metadata: { annotations: ANNOTATIONS } }] as const;
  });
  return Object.fromEntries(annotated);
}

/** The same object with secrets in all places in which people leave them. */
export function withSecrets(object: KubeObject): KubeObject {
  const { metadata, spec } = object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...ANNOTATIONS } },
    ...(spec === undefined ? {} : { spec: withVariables(spec) }),
  };
}
