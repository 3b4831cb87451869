/** A rule by what it belongs to and what tells it from the others there. */
export interface RuleName {
  /** The definition or policy. */
  readonly owner: string;
  /** Which of its rules, such as `spec.schedule 2`; empty where all of them are meant. */
  readonly part: string;
}

/** As the rules of a definition are told. */
export function definitionOwner(name: string): string {
  return `definition ${name}`;
}

export function policyOwner(name: string): string {
  return `policy ${name}`;
}

export interface OpenRule extends RuleName {
  readonly reason: string;
}

/** Which rules were asked of at least one object, and which could not be asked of some. */
export interface Tally {
  readonly evaluated: (rule: RuleName) => void;
  readonly open: (rule: RuleName, reason: string) => void;
  readonly count: () => number;
  readonly openRules: () => readonly OpenRule[];
}

export function createTally(): Tally {
  const evaluated = new Set<string>();
  const open = new Map<string, OpenRule>();
  const idOf = ({ owner, part }: RuleName): string => `${owner}\n${part}`;
  return {
    evaluated: (rule) => {
      evaluated.add(idOf(rule));
    },
    open: (rule, reason) => {
      if (!open.has(idOf(rule))) open.set(idOf(rule), { ...rule, reason });
    },
    count: () => evaluated.size,
    openRules: () => [...open.values()],
  };
}
