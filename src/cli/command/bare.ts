/** The same record without a prototype: the parser looks flags up by name, and `--constructor` is none. */
export function bare<T extends object>(record: T): T {
  return Object.setPrototypeOf({ ...record }, null);
}
