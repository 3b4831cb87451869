/** What differs from one day to the next, and who says so. */
const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC/g, 'MOMENT'],
  [/\bfirst-\d{10}\b/g, 'first-SLOT'],
  [/\bdone in \d+ ms\b/g, 'done in TIME'],
  [/\bMOMENT, (on time|\d+ (s|min)( \d+ s)? late)/g, 'MOMENT, LATENESS'],
  [/\bMOMENT, in (\d+ s|1 min)$/g, 'MOMENT, SOON'],
  [/(?<=\s)(\d+[smhdy])+(?=\s|$)/g, 'AGE'],
  [/\s+/g, ' '],
];

/** The lines of an output, as they are on any day: without times, and with columns of any width. */
export function shapeOf(text: string): readonly string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => VARIABLE.reduce((left, [pattern, word]) => left.replace(pattern, word), line.trimEnd()));
}
