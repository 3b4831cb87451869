import { type Palette, PLAIN } from '#render/palette.ts';

export interface TextOptions {
  readonly palette: Palette;
  /** Characters in a line; a fixed number where there is no terminal, so that output does not depend on one. */
  readonly width: number;
}

export const DEFAULT_TEXT: TextOptions = { palette: PLAIN, width: 100 };
