import type { Fault, Problem, Spot } from './problem.ts';

const YAML_1_1 =
  'kubectl reads unquoted scalars by YAML 1.1 rules (sigs.k8s.io/yaml), most other tools by YAML 1.2';

function named(value: null | boolean | number): string {
  if (value === null) return 'null';
  return typeof value === 'boolean' ? `the boolean ${value}` : `the number ${value}`;
}

export function ambiguousValue(text: string, value: null | boolean | number, spot: Spot): Problem {
  return {
    ...spot,
    code: 'AmbiguousScalar',
    severity: 'warning',
    what: `\`${text}\` without quotes is read as ${named(value)}`,
    why: YAML_1_1,
    fix: `write "${text}" if text is meant, ${String(value)} if not`,
  };
}

export function ambiguousKey(text: string, key: string, spot: Spot): Problem {
  return {
    ...spot,
    code: 'AmbiguousScalar',
    severity: 'warning',
    what: `the key \`${text}\` without quotes becomes the key "${key}"`,
    why: YAML_1_1,
    fix: `write the key as "${text}"`,
  };
}

/** Undefined when the number comes out of JSON as it went in, exact or in its shortest digits. */
export function impreciseNumber(exact: bigint, value: number, spot: Spot): Problem | undefined {
  if (BigInt(value) === exact || String(value) === String(exact)) return undefined;
  return {
    ...spot,
    code: 'ImpreciseNumber',
    severity: 'warning',
    what: `the integer ${exact} is read as ${value}`,
    why: 'integers beyond 2^53 are not all exact in a 64-bit float',
    fix: 'write a smaller number, or text if the field takes text',
  };
}

export function notInJson(text: string): Fault {
  return {
    code: 'InvalidYaml',
    what: `\`${text}\` has no form in JSON`,
    why: 'the Kubernetes API speaks JSON, which knows neither infinity nor not-a-number',
    fix: `write "${text}" if text is meant`,
  };
}

export function notAKey(shown: string): Fault {
  return {
    code: 'InvalidYaml',
    what: `${shown} cannot be a key`,
    why: 'the Kubernetes API speaks JSON, where every key is text',
    fix: 'write the key as text, in quotes',
  };
}

/** @param depth levels that are read at most */
export function tooDeep(depth: number): Fault {
  return {
    code: 'LimitExceeded',
    what: `mappings and lists are nested more than ${depth} levels deep`,
    why: 'no object of the Kubernetes API is; without a limit, a small file could use up the memory',
    fix: 'nest the values less deeply, or write the inner ones as text',
  };
}

function onLines([first, second]: readonly [number, number]): string {
  return first === second ? `both on line ${first}` : `on lines ${first} and ${second}`;
}

export function duplicateKey(key: string, lines: readonly [number, number]): Fault {
  return {
    code: 'DuplicateKey',
    what: `the key \`${key}\` stands twice in one mapping, ${onLines(lines)}`,
    why: 'which of the two counts depends on the reader; keys are unique (YAML 1.2, 3.2.1.1)',
    fix: 'remove one of the two',
  };
}

export const notMergeable: Fault = {
  code: 'InvalidYaml',
  what: 'the merge key `<<` needs a mapping or a list of mappings',
  why: 'it copies the entries of mappings, and nothing else has any',
  fix: 'write the key as "<<" if it is meant as text',
};

export function lateMerge(key: string, lines: readonly [number, number]): Fault {
  return {
    code: 'DuplicateKey',
    what: `the key \`${key}\` of line ${lines[0]} is set again by the merge key of line ${lines[1]}`,
    why: 'kubectl lets the later one win, the YAML merge rule the one of the mapping itself',
    fix: 'move the merge key `<<` to the front of the mapping',
  };
}
