import type { Place } from '#core/object/object.ts';

/** Turns an offset into a place of this file. The table of line starts is made when it is first asked for. */
export type PlaceAt = (at: number, document?: number) => Place;

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}

function lastNotAfter(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function placesIn(file: string, text: string): PlaceAt {
  let starts: readonly number[] | undefined;
  return (at, document) => {
    starts ??= lineStarts(text);
    const line = lastNotAfter(starts, at);
    const place = { file, line: line + 1, column: at - (starts[line] ?? 0) + 1 };
    return document === undefined ? place : { ...place, document };
  };
}

/** The whole line around an offset, without its line break. */
export function lineAround(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '');
}
