import { type Environment, EvaluationError } from '@marcbachmann/cel-js';
import type { FunctionSet } from './function-set.ts';
import { type Address, addressText, masked, parseAddress, sameAddress } from './ip-address.ts';

class IpValue {
  readonly address: Address;

  constructor(address: Address) {
    this.address = address;
  }

  equals(other: unknown): boolean {
    return other instanceof IpValue && sameAddress(this.address, other.address);
  }
}

class CidrValue {
  readonly address: Address;
  readonly prefix: number;

  constructor(address: Address, prefix: number) {
    this.address = address;
    this.prefix = prefix;
  }

  equals(other: unknown): boolean {
    return (
      other instanceof CidrValue && this.prefix === other.prefix && sameAddress(this.address, other.address)
    );
  }
}

function ip(text: string): IpValue {
  const address = parseAddress(text);
  if (address === undefined) throw new EvaluationError(`no IP address: ${text.slice(0, 60)}`);
  return new IpValue(address);
}

function parseCidr(text: string): CidrValue | undefined {
  const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  const address = match === null ? undefined : parseAddress(match[1] ?? '');
  const prefix = Number(match?.[2]);
  if (address === undefined || prefix > address.bytes.length * 8) return undefined;
  return new CidrValue(address, prefix);
}

function cidr(text: string): CidrValue {
  const value = parseCidr(text);
  if (value === undefined) throw new EvaluationError(`no range of addresses: ${text.slice(0, 60)}`);
  return value;
}

function isZero(address: Address): boolean {
  return address.bytes.every((byte) => byte === 0);
}

function isLoopback({ bytes }: Address): boolean {
  return bytes.length === 4
    ? bytes[0] === 127
    : bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1;
}

function isMulticast({ bytes }: Address): boolean {
  return bytes.length === 4 ? ((bytes[0] ?? 0) & 0xf0) === 0xe0 : bytes[0] === 0xff;
}

function isLinkLocalMulticast({ bytes }: Address): boolean {
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 2;
}

function isLinkLocalUnicast({ bytes }: Address): boolean {
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80;
}

function isGlobalUnicast(address: Address): boolean {
  const broadcast = address.bytes.length === 4 && address.bytes.every((byte) => byte === 255);
  const special = [isZero, isLoopback, isMulticast, isLinkLocalUnicast].some((is) => is(address));
  return !broadcast && !special;
}

function contains(range: CidrValue, { bytes }: Address): boolean {
  return sameAddress(masked(range.address, range.prefix), masked({ bytes }, range.prefix));
}

function containsRange(range: CidrValue, { address, prefix }: CidrValue): boolean {
  return prefix >= range.prefix && contains(range, address);
}

function addAddressFunctions({ add }: FunctionSet): void {
  const family = ({ address }: IpValue): bigint => (address.bytes.length === 4 ? 4n : 6n);
  add('isIP(string): bool', (text: string) => parseAddress(text) !== undefined);
  add('ip(string): IP', ip);
  add('ip_isCanonical(string): bool', (text: string) => addressText(ip(text).address) === text);
  add('IP.family(): int', family);
  add('IP.isUnspecified(): bool', ({ address }: IpValue) => isZero(address));
  add('IP.isLoopback(): bool', ({ address }: IpValue) => isLoopback(address));
  add('IP.isLinkLocalMulticast(): bool', ({ address }: IpValue) => isLinkLocalMulticast(address));
  add('IP.isLinkLocalUnicast(): bool', ({ address }: IpValue) => isLinkLocalUnicast(address));
  add('IP.isGlobalUnicast(): bool', ({ address }: IpValue) => isGlobalUnicast(address));
}

/** Kubernetes' CEL libraries for addresses and their ranges. */
export function addIpFunctions(set: FunctionSet, environment: Environment): void {
  environment.registerType('IP', { ctor: IpValue, fields: {} });
  environment.registerType('CIDR', { ctor: CidrValue, fields: {} });
  addAddressFunctions(set);
  const { add } = set;
  add('isCIDR(string): bool', (text: string) => parseCidr(text) !== undefined);
  add('cidr(string): CIDR', cidr);
  add('CIDR.ip(): IP', ({ address }: CidrValue) => new IpValue(address));
  add('CIDR.prefixLength(): int', ({ prefix }: CidrValue) => BigInt(prefix));
  add(
    'CIDR.masked(): CIDR',
    ({ address, prefix }: CidrValue) => new CidrValue(masked(address, prefix), prefix),
  );
  add('CIDR.containsIP(string): bool', (range: CidrValue, text: string) => contains(range, ip(text).address));
  add('CIDR.containsIP(IP): bool', (range: CidrValue, { address }: IpValue) => contains(range, address));
  add('CIDR.containsCIDR(string): bool', (range: CidrValue, text: string) =>
    containsRange(range, cidr(text)),
  );
  add('CIDR.containsCIDR(CIDR): bool', containsRange);
}
