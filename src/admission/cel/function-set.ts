import { Environment, type RegisteredFunctionHandler } from '@marcbachmann/cel-js';
import { type Call, OWN } from './rewrite.ts';

/** Functions under their own names, registered under ours. */
export interface FunctionSet {
  /** @param signature as the library reads it, such as `string.find(string): string` */
  readonly add: (signature: string, handler: RegisteredFunctionHandler) => void;
  /** What stands for an operator: no expression can call it. */
  readonly addOperator: (signature: string, handler: RegisteredFunctionHandler) => void;
  readonly has: (call: Call) => boolean;
}

/** Nothing of ours waits for anything; the types of the library do not say that this can be said. */
const SYNCHRONOUS: { readonly async?: boolean; description?: string } = { async: false };

function idOf({ name, receiver, count }: Call): string {
  return `${receiver ? '.' : ''}${name}/${count}`;
}

/** The commas of `map<string, int>` part no arguments; no argument of ours is such a type. */
function callOf(signature: string): { readonly call: Call; readonly renamed: string } {
  const match = /^(?:([\w.<>]+)\.)?(\w+)\(([^)]*)\)/.exec(signature);
  if (match === null) throw new Error(`no signature: ${signature}`);
  const [, receiver, name = '', args = ''] = match;
  const count = args === '' ? 0 : args.split(',').length;
  const head = receiver === undefined ? '' : `${receiver}.`;
  return {
    call: { name, receiver: receiver !== undefined, count },
    renamed: `${head}${OWN}${signature.slice(head.length)}`,
  };
}

export function functionSet(environment: Environment): FunctionSet {
  const known = new Set<string>();
  return {
    add: (signature, handler) => {
      const { call, renamed } = callOf(signature);
      known.add(idOf(call));
      environment.registerFunction(renamed, handler, SYNCHRONOUS);
    },
    addOperator: (signature, handler) => {
      environment.registerFunction(callOf(signature).renamed, handler, SYNCHRONOUS);
    },
    has: (call) => known.has(idOf(call)),
  };
}

/**
 * What the library knows by itself. An environment that was asked for its functions shares those that it gets later
 * with all others, so that one is asked that gets none.
 */
export function libraryCalls(): (call: Call) => boolean {
  const known = new Set(
    new Environment()
      .getDefinitions()
      .functions.map(({ name, receiverType, params }) =>
        idOf({ name, receiver: receiverType !== null, count: params.length }),
      ),
  );
  return (call) => known.has(idOf(call));
}
