/** How many levels a heat map has above nothing. */
export const LEVELS = 6;

/** The level of a count above 0: 1 to `LEVELS`; few are told apart better than many. */
export function heatLevel(count: number, most: number): number {
  if (most <= 1) return 2;
  return 1 + Math.round((LEVELS - 1) * Math.sqrt((count - 1) / (most - 1)));
}
