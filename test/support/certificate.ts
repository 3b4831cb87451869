import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A certificate and its private key, both in PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

const ECDSA_SHA256 = sequence(der(0x06, hex('2a8648ce3d040302')));
const COMMON_NAME = der(0x06, hex('550403'));
const BASIC_CONSTRAINTS = der(0x06, hex('551d13'));
const ALTERNATIVE_NAMES = der(0x06, hex('551d11'));

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));
}

/** Its own authority, and good for 127.0.0.1 until 2049. */
function body(name: string, key: Buffer): Buffer {
  const time = (text: string): Buffer => der(0x17, Buffer.from(text));
  const isAuthority = sequence(BASIC_CONSTRAINTS, der(0x04, sequence(der(0x01, hex('ff')))));
  const address = sequence(ALTERNATIVE_NAMES, der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))));
  return sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, hex('01')),
    ECDSA_SHA256,
    nameOf(name),
    sequence(time('200101000000Z'), time('491231235959Z')),
    nameOf(name),
    key,
    der(0xa3, sequence(isAuthority, address)),
  );
}

function pem(contents: Buffer): string {
  const lines = contents.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** A certificate that its own key signed. */
export function selfSigned(name: string): TestCertificate {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateKey: KeyObject = pair.privateKey;
  const signed = body(name, pair.publicKey.export({ type: 'spki', format: 'der' }));
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
  return {
    cert: pem(sequence(signed, ECDSA_SHA256, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
