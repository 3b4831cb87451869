import type { ASTNode } from '@marcbachmann/cel-js';

/** An expression as the library reads it, without its places. */
export interface Term {
  readonly op: string;
  readonly args: unknown;
}

/** A function that an expression calls; `receiver` is whether it is called on a value. */
export interface Call {
  readonly name: string;
  readonly receiver: boolean;
  readonly count: number;
}

/** Functions of ours begin with this: names of the library cannot be given another meaning. */
export const OWN = 'k8s_';

/** Functions whose names have two parts, which look like a call on a value. */
const QUALIFIED: Readonly<Record<string, readonly string[]>> = {
  ip: ['isCanonical'],
  sets: ['contains', 'equivalent', 'intersects'],
  strings: ['quote'],
};
const PREDICATES: readonly string[] = ['all', 'exists', 'exists_one', 'filter'];
const ROUND: Term = { op: 'call', args: [`${OWN}round`, []] };

function isTerm(value: unknown): value is Term {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

function call(name: string, ...args: readonly Term[]): Term {
  return { op: 'call', args: [OWN + name, args] };
}

/** What stands below, in the order in which it is written. */
function* below(value: unknown): Generator<Term> {
  if (isTerm(value)) yield value;
  else if (Array.isArray(value)) for (const one of value) yield* below(one);
}

export function* allTerms(term: Term): Generator<Term> {
  yield term;
  for (const one of below(term.args)) yield* allTerms(one);
}

/** The parts of a call on a value. */
function callOn(
  term: Term,
): { readonly name: string; readonly on: Term; readonly args: readonly Term[] } | undefined {
  if (term.op !== 'rcall') return undefined;
  const [name, on, args] = term.args as readonly [string, Term, readonly Term[]];
  return { name, on, args };
}

export function callsOf(root: Term): readonly Call[] {
  return [...allTerms(root)].flatMap((term): readonly Call[] => {
    const on = callOn(term);
    if (on !== undefined) {
      const name = qualifiedName(on);
      return [{ name: name ?? on.name, receiver: name === undefined, count: on.args.length }];
    }
    if (term.op !== 'call') return [];
    const [name, args] = term.args as readonly [string, readonly Term[]];
    return [{ name, receiver: false, count: args.length }];
  });
}

/** `sets.contains` is a name, not a call on something called sets. */
function qualifiedName({ name, on }: { readonly name: string; readonly on: Term }): string | undefined {
  const holder = on.op === 'id' ? String(on.args) : '';
  const names = Object.hasOwn(QUALIFIED, holder) ? QUALIFIED[holder] : undefined;
  return names?.includes(name) === true ? `${holder}_${name}` : undefined;
}

/** Only names and fields, as the library wants it in `has`. */
function isChain(term: Term): boolean {
  if (term.op === 'id') return true;
  return (term.op === '.' || term.op === '.?') && isChain((term.args as readonly [Term])[0]);
}

type Walk = (term: Term) => Term;

/** What is asked of a round of a loop, once the round was counted. */
function counted(predicate: Term): Term {
  return { op: '?:', args: [ROUND, predicate, { op: 'value', args: false }] };
}

function loop(name: string, on: Term, args: readonly Term[]): Term | undefined {
  const [variable, first, second] = args;
  if (variable === undefined || first === undefined) return undefined;
  if (PREDICATES.includes(name) && args.length === 2)
    return { op: 'rcall', args: [name, on, [variable, counted(first)]] };
  if (name !== 'map') return undefined;
  const made = second === undefined ? [ROUND, first] : [counted(first), second];
  return { op: 'rcall', args: [name, on, [variable, ...made]] };
}

function rewriteCallOn(term: Term, isOwn: (call: Call) => boolean, walk: Walk): Term {
  const on = callOn(term);
  if (on === undefined) return term;
  const args = on.args.map(walk);
  const qualified = qualifiedName(on);
  if (qualified !== undefined) return call(qualified, ...args);
  const { name } = on;
  const receiver = walk(on.on);
  const looped = loop(name, receiver, args);
  if (looped !== undefined) return looped;
  const own = isOwn({ name, receiver: true, count: args.length }) ? OWN + name : name;
  return { op: 'rcall', args: [own, receiver, args] };
}

function rewriteCall(term: Term, isOwn: (call: Call) => boolean, walk: Walk): Term {
  const [name, terms] = term.args as readonly [string, readonly Term[]];
  const args = terms.map(walk);
  const [first] = args;
  if (name === 'has' && first?.op === '.' && !isChain(first)) return hasOf(first);
  return {
    op: 'call',
    args: [isOwn({ name, receiver: false, count: args.length }) ? OWN + name : name, args],
  };
}

/** `has(a[0].b)`: what the field is looked for in gets a name. */
function hasOf(field: Term): Term {
  const [holder, name] = field.args as readonly [Term, string];
  const id: Term = { op: 'id', args: 'k8s_holder' };
  const has: Term = { op: 'call', args: ['has', [{ op: '.', args: [id, name] }]] };
  return { op: 'rcall', args: ['bind', { op: 'id', args: 'cel' }, [id, holder, has]] };
}

/** What the library cannot write out so that it reads the same: many digits, and letters beyond the first plane. */
function literal(term: Term): Term {
  if (typeof term.args === 'number')
    return { op: 'call', args: ['double', [{ op: 'value', args: String(term.args) }]] };
  if (typeof term.args !== 'string' || !/[\uD800-\uDFFF]/.test(term.args)) return term;
  return call('text', { op: 'value', args: encodeURIComponent(term.args.toWellFormed()) });
}

function map(value: unknown, walk: Walk): unknown {
  if (isTerm(value)) return walk(value);
  return Array.isArray(value) ? value.map((one) => map(one, walk)) : value;
}

/** The functions that stand for operators. */
const OPERATORS = { '==': 'equal', '!=': 'equal', in: 'in', '+': 'add' } as const;

/**
 * The same expression with functions, comparisons and sums of ours in place of the library's where Kubernetes' differ,
 * and with each round of a loop counted.
 */
export function rewritten(root: Term, isOwn: (call: Call) => boolean): ASTNode {
  function walk(term: Term): Term {
    switch (term.op) {
      case 'value':
        return literal(term);
      case 'call':
        return rewriteCall(term, isOwn, walk);
      case 'rcall':
        return rewriteCallOn(term, isOwn, walk);
      case '==':
      case '!=':
      case 'in':
      case '+': {
        const made = call(OPERATORS[term.op], ...(term.args as readonly Term[]).map(walk));
        return term.op === '!=' ? { op: '!_', args: made } : made;
      }
      default:
        return { op: term.op, args: map(term.args, walk) };
    }
  }
  // The library writes an expression out from these two members alone.
  return walk(root) as unknown as ASTNode;
}
