import { labelValueProblem, qualifiedNameProblem } from '#api/metadata.ts';
import { quoted } from '#api/shown-value.ts';

export type Labels = Readonly<Record<string, string>>;

/** One condition on the labels of an object; a selector is the conjunction of several. */
export type LabelRequirement =
  | { readonly operator: 'In' | 'NotIn'; readonly key: string; readonly values: ReadonlySet<string> }
  | { readonly operator: 'Exists' | 'DoesNotExist'; readonly key: string }
  | { readonly operator: 'Gt' | 'Lt'; readonly key: string; readonly bound: bigint };

const INTEGER = /^[+-]?\d{1,40}$/;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** @returns undefined for what Go's ParseInt refuses at 64 bits */
export function parseInt64(text: string): bigint | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text.replace('+', ''));
  return value < INT64_MIN || value > INT64_MAX ? undefined : value;
}

/** @returns why the requirement is refused, in the words of apimachinery's label package */
export function requirementProblem(key: string, values: Iterable<string>): string | undefined {
  const keyProblem = qualifiedNameProblem(key);
  if (keyProblem !== undefined) return `key: Invalid value: ${quoted(key)}: ${keyProblem}`;
  let index = 0;
  for (const value of values) {
    const problem = labelValueProblem(value);
    if (problem !== undefined) {
      return `values[${index}][${key}]: Invalid value: ${quoted(value)}: ${problem}`;
    }
    index++;
  }
  return undefined;
}

function meets(requirement: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && requirement.values.has(value);
    case 'NotIn':
      return value === undefined || !requirement.values.has(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt': {
      const number = value === undefined ? undefined : parseInt64(value);
      if (number === undefined) return false;
      return requirement.operator === 'Gt' ? number > requirement.bound : number < requirement.bound;
    }
  }
}

/** No requirements match everything. */
export function meetsAll(requirements: readonly LabelRequirement[], labels: Labels): boolean {
  return requirements.every((requirement) => meets(requirement, labels));
}
