/**
 * Whether a text is of printable ASCII alone, as most are. The tables of Unicode for anything else take longer to set up
 * than a plan of a few schedules takes to be written.
 */
export function isPlainText(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
