import { validateHeaderValue } from 'node:http';
import { ConnectionError } from './connection.ts';

/**
 * A text that a header can carry; no message shows it, since it may be a secret.
 * @param what it is, for people
 * @throws ConnectionError
 */
export function headerText(text: string, what: string): string {
  try {
    validateHeaderValue('Authorization', text);
  } catch {
    const fix = 'a line break, a control character or one outside Latin-1';
    throw new ConnectionError(`${what} has a character that no request can carry: ${fix}`);
  }
  return text;
}

/** @throws ConnectionError */
export function bearer(token: string, what: string): string {
  if (token === '') throw new ConnectionError(`${what} is empty`);
  return `Bearer ${headerText(token, what)}`;
}
