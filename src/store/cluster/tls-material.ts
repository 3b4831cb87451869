import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConnectionError } from './connection.ts';
import type { Cluster, User } from './kubeconfig-schema.ts';

export interface ClientCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

type Text = string | null | undefined;

/** Where one of the two fields stands that a kubeconfig has for each file, and what they hold. */
interface Fields {
  readonly owner: string;
  readonly field: string;
  readonly data: Text;
  readonly file: Text;
}

interface Material {
  /** For people. */
  readonly what: string;
  readonly pem: Buffer;
}

function decoded(text: string): Buffer | undefined {
  const plain = text.replace(/\s+/g, '');
  const isBase64 = plain.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(plain);
  return isBase64 ? Buffer.from(plain, 'base64') : undefined;
}

/** As for kubectl, data win over a file. */
function materialOf({ owner, field, data, file }: Fields): Material | undefined {
  if (data) {
    const what = `${field}-data of ${owner}`;
    const pem = decoded(data);
    if (pem === undefined) throw new ConnectionError(`${what} is no base64`);
    return { what, pem };
  }
  if (!file) return undefined;
  const what = `${field} of ${owner}`;
  try {
    return { what: `${what} (${file})`, pem: readFileSync(file) };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new ConnectionError(`${what} cannot be read: ${cause}`);
  }
}

function isCertificate(pem: Buffer): boolean {
  if (!pem.includes('-----BEGIN ')) return false;
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

function isAccepted(pair: { readonly cert?: Buffer; readonly key: Buffer }): boolean {
  try {
    createSecureContext(pair);
    return true;
  } catch {
    return false;
  }
}

function demandCertificate({ what, pem }: Material): Buffer {
  if (!isCertificate(pem)) throw new ConnectionError(`${what} is no certificate in PEM`);
  return pem;
}

function demandPair(cert: Material, key: Material): ClientCertificate {
  const pair = { cert: demandCertificate(cert), key: key.pem };
  if (!isAccepted({ key: key.pem })) {
    throw new ConnectionError(`${key.what} is no private key in PEM without a passphrase`);
  }
  if (!isAccepted(pair)) throw new ConnectionError(`${key.what} does not belong to its certificate`);
  return pair;
}

/** @throws ConnectionError */
export function authorityOf(cluster: Cluster, owner: string): Buffer | undefined {
  const field = 'certificate-authority';
  const material = materialOf({ owner, field, data: cluster[`${field}-data`], file: cluster[field] });
  return material && demandCertificate(material);
}

/** @throws ConnectionError */
export function clientCertificateOf(user: User, owner: string): ClientCertificate | undefined {
  const read = (field: 'client-certificate' | 'client-key'): Material | undefined =>
    materialOf({ owner, field, data: user[`${field}-data`], file: user[field] });
  const [cert, key] = [read('client-certificate'), read('client-key')];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new ConnectionError(`${owner} has a client-key and no client-certificate`);
  if (key === undefined) throw new ConnectionError(`${owner} has a client-certificate and no client-key`);
  return demandPair(cert, key);
}

/**
 * What a plugin gave, as text.
 * @throws ConnectionError
 */
export function clientCertificateFrom(cert: string, key: string, owner: string): ClientCertificate {
  return demandPair(
    { what: `the clientCertificateData of ${owner}`, pem: Buffer.from(cert) },
    { what: `the clientKeyData of ${owner}`, pem: Buffer.from(key) },
  );
}
