import type { Answer } from './request.ts';

interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/** A whole object as the value is printed in the words of another language: that is left out. */
function wordOf({ field, message = '' }: Cause): string {
  return `${field}: ${message.replace(/Invalid value: \{.*\}: /, 'Invalid value: ')}`;
}

/** What a server says of an object that it does not take, each reason in one line. */
export function refusalWords({ status, body }: Answer): readonly string[] {
  return status === 422 ? (body.details?.causes ?? []).map(wordOf) : [];
}
