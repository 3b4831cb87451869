/** A command line as somebody would type it, and what for. */
export interface Example {
  readonly about: string;
  readonly line: string;
}
