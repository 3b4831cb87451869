import type { Answer } from './request.ts';

interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/**
 * A whole object as the value is printed in the words of another language: that is left out. A label that is made of
 * the name is told as the name, and the uid of a Job that is not made is nobody's.
 */
function wordOf({ field = '', message = '' }: Cause): string {
  const text = message
    .replace(/Invalid value: \{.*\}: /, 'Invalid value: ')
    .replace(/must be '[0-9a-f]{8}-[0-9a-f-]{27}'/, 'must be the uid of the Job');
  return `${text.endsWith('no more than 63 bytes') ? 'metadata.name' : field}: ${text}`;
}

/** What a server says of an object that it does not take, each reason in one line. */
export function refusalWords({ status, body }: Answer): readonly string[] {
  return status === 422 ? (body.details?.causes ?? []).map(wordOf) : [];
}
