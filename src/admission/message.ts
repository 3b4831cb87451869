import type { JsonObject } from '#core/object/object.ts';
import type { Result } from './cel/evaluator.ts';
import { textOf } from './schema.ts';

/** Longer ones are dropped by a server, too. */
const MAX_MESSAGE = 5 * 1024;

interface Told {
  /** The rule or validation with its `message` and `messageExpression`. */
  readonly source: JsonObject;
  readonly otherwise: string;
  /** Why the rule could not be told true or false. */
  readonly problem: string | undefined;
}

function made(result: Result): string | undefined {
  if (result.state !== 'value' || typeof result.value !== 'string') return undefined;
  const text = result.value.trim();
  return text === '' || /[\r\n]/.test(text) || text.length > MAX_MESSAGE ? undefined : text;
}

/** What is said of a broken rule: what its expression makes of it, else its own message. */
export function toldBy({ source, otherwise, problem }: Told, run: (expression: string) => Result): string {
  const expression = textOf(source['messageExpression']);
  const message = textOf(source['message'])?.trim() ?? otherwise.trim();
  if (problem !== undefined) return `${message} (${problem})`;
  return (expression === undefined ? undefined : made(run(expression))) ?? message;
}
