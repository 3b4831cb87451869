import { ANSI, PLAIN } from '#render/palette.ts';
import { DEFAULT_TEXT, type TextOptions } from '#render/text-options.ts';
import type { Io, Output } from './io.ts';

const NARROWEST = 60;

/** Colour only at a terminal, and neither with NO_COLOR nor where the terminal has none. */
export function textOptions(output: Output, io: Io, flags: { readonly 'no-color': boolean }): TextOptions {
  const asked = !flags['no-color'] && (io.env['NO_COLOR'] ?? '') === '' && io.env['TERM'] !== 'dumb';
  if (!output.isTerminal) return DEFAULT_TEXT;
  const width = output.columns === undefined ? DEFAULT_TEXT.width : Math.max(NARROWEST, output.columns);
  return { palette: asked ? ANSI : PLAIN, width };
}
