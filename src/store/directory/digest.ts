import process from 'node:process';

/**
 * Loaded with the first digest: most starts need none, and the module costs more than the rest of such a start. An old
 * Node lacks the function: imported by its name it would end the process before that can be told.
 */
function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

export function sha256(text: string): string {
  return crypto().createHash('sha256').update(text).digest('hex');
}

/** Hexadecimal digits that nobody can foresee. */
export function randomDigits(bytes: number): string {
  return crypto().randomBytes(bytes).toString('hex');
}
