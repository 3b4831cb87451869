/** What one input may cost; everything above is refused with `LimitExceeded`, never cut short. */
export interface Limits {
  /** Bytes of one file, or of standard input. */
  readonly fileBytes: number;
  /** Documents in one file. */
  readonly documents: number;
  /** Levels of mappings and lists inside each other, those reached through aliases included. */
  readonly depth: number;
  /** Lexical tokens of one YAML document, about six to a line: they decide the memory that reading it takes. */
  readonly tokens: number;
  /** What aliases may add to one file, in characters when written out; a node counts as `nodeWeight` at least. */
  readonly aliasExpansion: number;
}

/** A bare node counts as this many characters, so that the default allows about a million of them. */
export const nodeWeight = 16;

export const defaultLimits: Limits = {
  fileBytes: 16 * 1024 * 1024,
  documents: 100_000,
  depth: 100,
  tokens: 2_000_000,
  aliasExpansion: 16 * 1024 * 1024,
};
