import { type Environment, EvaluationError } from '@marcbachmann/cel-js';
import type { FunctionSet } from './function-set.ts';

const FORM =
  /^(0|[1-9]\d{0,17})\.(0|[1-9]\d{0,17})\.(0|[1-9]\d{0,17})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

class SemverValue {
  readonly numbers: readonly bigint[];
  readonly before: readonly string[];

  constructor(numbers: readonly bigint[], before: readonly string[]) {
    this.numbers = numbers;
    this.before = before;
  }

  equals(other: unknown): boolean {
    return other instanceof SemverValue && compare(this, other) === 0;
  }
}

function isNumeric(text: string): boolean {
  return /^\d+$/.test(text);
}

function parseSemver(text: string): SemverValue | undefined {
  const match = text.length > 256 ? null : FORM.exec(text);
  if (match === null) return undefined;
  const before = match[4]?.split('.') ?? [];
  if (before.some((part) => /^0\d+$/.test(part))) return undefined;
  return new SemverValue(match.slice(1, 4).map(BigInt), before);
}

function semver(text: string): SemverValue {
  const value = parseSemver(text);
  if (value === undefined) throw new EvaluationError(`no semantic version: ${text.slice(0, 60)}`);
  return value;
}

function order<T extends bigint | string | number>(a: T, b: T): number {
  return a < b ? -1 : Number(a > b);
}

/** A number comes before any word. */
function comparePart(a: string, b: string): number {
  if (isNumeric(a) && isNumeric(b)) return order(BigInt(a), BigInt(b));
  if (isNumeric(a) !== isNumeric(b)) return isNumeric(a) ? -1 : 1;
  return order(a, b);
}

/** What comes before a release is less than it; fewer parts are less than more. */
function compareBefore(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return order(b.length, a.length);
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const parts = comparePart(a[index] ?? '', b[index] ?? '');
    if (parts !== 0) return parts;
  }
  return order(a.length, b.length);
}

function compare(a: SemverValue, b: SemverValue): number {
  for (let index = 0; index < 3; index++) {
    const numbers = order(a.numbers[index] ?? 0n, b.numbers[index] ?? 0n);
    if (numbers !== 0) return numbers;
  }
  return compareBefore(a.before, b.before);
}

/** Kubernetes' CEL library for semantic versions. */
export function addSemverFunctions({ add }: FunctionSet, environment: Environment): void {
  environment.registerType('Semver', { ctor: SemverValue, fields: {} });
  add('isSemver(string): bool', (text: string) => parseSemver(text) !== undefined);
  add('semver(string): Semver', semver);
  for (const [index, name] of ['major', 'minor', 'patch'].entries())
    add(`Semver.${name}(): int`, ({ numbers }: SemverValue) => numbers[index] ?? 0n);
  add('Semver.isLessThan(Semver): bool', (a: SemverValue, b: SemverValue) => compare(a, b) < 0);
  add('Semver.isGreaterThan(Semver): bool', (a: SemverValue, b: SemverValue) => compare(a, b) > 0);
  add('Semver.compareTo(Semver): int', (a: SemverValue, b: SemverValue) => BigInt(compare(a, b)));
}
