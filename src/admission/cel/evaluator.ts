import { Environment, EvaluationError, ParseError, type ParseResult, serialize } from '@marcbachmann/cel-js';
import { addConversions } from './conversions.ts';
import { addFormatFunction } from './format-function.ts';
import { type FunctionSet, functionSet, libraryCalls } from './function-set.ts';
import { addIpFunctions } from './ip-functions.ts';
import { addListFunctions } from './list-functions.ts';
import { createMeter, MAX_EXPRESSION, type Meter, TooCostly } from './meter.ts';
import { addOperators } from './operators.ts';
import { addQuantityFunctions } from './quantity-functions.ts';
import { allTerms, type Call, callsOf, OWN, rewritten, type Term } from './rewrite.ts';
import { addSemverFunctions } from './semver-functions.ts';
import { addStringFunctions } from './string-functions.ts';
import { Unknown } from './unknown.ts';
import { addUrlFunctions } from './url-functions.ts';

/** What came of an expression. `open`: only a server can tell, or nothing here can run it. */
export type Result =
  | { readonly state: 'value'; readonly value: unknown }
  | { readonly state: 'error'; readonly message: string }
  | { readonly state: 'open'; readonly reason: string };

export interface Program {
  /** Every name that it reads, those of its own loops included. */
  readonly names: ReadonlySet<string>;
  /** As the library reads it. */
  readonly term: Term;
  readonly run: (variables: ReadonlyMap<string, unknown>) => Result;
}

export type Compiled =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly reason: string };

export interface Evaluator {
  /** @param names the variables that the expression may read */
  readonly compile: (expression: string, names: readonly string[]) => Compiled;
  /** Told by values that only a server knows, when they are read. */
  readonly tell: (reason: Unknown) => void;
  /** Another object is asked about, which may cost its share. */
  readonly grant: () => void;
}

const LIMITS = {
  maxAstNodes: 5000,
  maxDepth: 100,
  maxListElements: 1000,
  maxMapEntries: 1000,
  maxCallArguments: 16,
};

interface Base {
  readonly environment: Environment;
  readonly own: FunctionSet;
  readonly isKnown: (call: Call) => boolean;
}

function createBase(meter: Meter): Base {
  const environment = new Environment({
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: LIMITS,
  });
  const ofLibrary = libraryCalls();
  const own = functionSet(environment);
  addOperators(own, meter);
  addConversions(own);
  addStringFunctions(own, meter);
  addFormatFunction(own, meter);
  addListFunctions(own, meter);
  addQuantityFunctions(own, environment);
  addUrlFunctions(own, environment);
  addIpFunctions(own, environment);
  addSemverFunctions(own, environment);
  return { environment, own, isKnown: (call) => own.has(call) || ofLibrary(call) };
}

/** The library draws the place below its message. */
function messageOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replaceAll(OWN, '').slice(0, 200);
}

/** Whatever is asked of it, only a server has the answer. */
const AUTHORIZER = 'authorizer';

/** The library makes texts of the keys, so that `1` and `'1'` are one. */
function hasOddKeys({ op, args }: Term): boolean {
  if (op !== 'map') return false;
  return (args as readonly (readonly [Term, Term])[]).some(
    ([key]) => key.op === 'value' && typeof key.args !== 'string',
  );
}

/** What the library knows otherwise than Kubernetes, or not at all. */
function unknownPart(term: Term, isKnown: Base['isKnown']): string | undefined {
  if (namesOf(term).has(AUTHORIZER)) return 'what an account may do is not known here';
  if ([...allTerms(term)].some(hasOddKeys)) return 'a map whose keys are no texts is not known here';
  // Kubernetes has no bindings; here they stand for something else.
  const call = callsOf(term).find((one) => !isKnown(one) || one.name === 'bind');
  return call === undefined ? undefined : `the function ${call.name} is not known here`;
}

function namesOf(term: Term): ReadonlySet<string> {
  return new Set([...allTerms(term)].flatMap(({ op, args }) => (op === 'id' ? [String(args)] : [])));
}

/** Compiles and runs expressions. One evaluator is one account of what they cost together. */
export function createEvaluator(): Evaluator {
  const meter = createMeter();
  const { environment, own, isKnown } = createBase(meter);
  const byNames = new Map<string, Environment>();
  const compiled = new Map<string, Compiled>();
  let asked: Unknown | undefined;
  let depth = 0;

  function environmentFor(names: readonly string[]): Environment {
    const id = names.join(' ');
    const known = byNames.get(id);
    if (known !== undefined) return known;
    const made = environment.clone();
    for (const name of names) made.registerVariable(name, 'dyn');
    byNames.set(id, made);
    return made;
  }

  function failed(error: unknown): Result {
    if (error instanceof TooCostly) return { state: 'open', reason: error.message };
    if (error instanceof Unknown) return { state: 'open', reason: error.message };
    // What followed from something unknown may be an error only here.
    if (asked !== undefined) return { state: 'open', reason: asked.message };
    if (error instanceof EvaluationError) return { state: 'error', message: messageOf(error) };
    return { state: 'open', reason: messageOf(error) };
  }

  function compile(expression: string, names: readonly string[]): Compiled {
    const id = `${names.join(' ')}\n${expression}`;
    const made = compiled.get(id) ?? compileNew(expression, names);
    compiled.set(id, made);
    return made;
  }

  function compileNew(expression: string, names: readonly string[]): Compiled {
    if (expression.length > MAX_EXPRESSION)
      return { ok: false, reason: `it has more than ${MAX_EXPRESSION} characters` };
    const scope = environmentFor(names);
    try {
      const { ast } = scope.parse(expression);
      const reason = unknownPart(ast, isKnown);
      if (reason !== undefined) return { ok: false, reason };
      const parsed = scope.parse(serialize(rewritten(ast, own.has)));
      const { valid, error } = parsed.check();
      if (!valid) return { ok: false, reason: messageOf(error) };
      return {
        ok: true,
        program: { names: namesOf(ast), term: ast, run: (variables) => run(parsed, variables) },
      };
    } catch (error) {
      // Nested so deep that the parser itself gives up, perhaps.
      if (error instanceof ParseError || error instanceof RangeError)
        return { ok: false, reason: messageOf(error) };
      throw error;
    }
  }

  function run(parsed: ParseResult, variables: ReadonlyMap<string, unknown>): Result {
    // A variable that is read by another expression is paid by that.
    if (depth++ === 0) meter.begin();
    const before = asked;
    asked = undefined;
    try {
      return { state: 'value', value: parsed(variables) };
    } catch (error) {
      return failed(error);
    } finally {
      depth--;
      asked = before;
    }
  }

  return {
    compile,
    grant: meter.grant,
    tell: (reason) => {
      asked = reason;
    },
  };
}
