import type { Composer } from 'yaml';

/** A document with so many faults that the rest is not worth reading. */
export class TooManyFaults extends Error {}

/**
 * Makes the composer throw after `most` faults. It keeps one Error with a stack trace for each: a megabyte of commas
 * would take gigabytes. Its warnings are dropped, since tags and directives are judged later. The handler is not part
 * of the library's interface; without it the result is the same, and only the bound is gone.
 */
export function boundFaults(composer: Composer, most: number): void {
  const collect: unknown = Reflect.get(composer, 'onError');
  if (typeof collect !== 'function') return;
  let faults = 0;
  const bounded = (source: unknown, code: unknown, message: unknown, warning: unknown): void => {
    if (warning === true) return;
    faults += 1;
    if (faults > most) throw new TooManyFaults();
    Reflect.apply(collect, composer, [source, code, message]);
  };
  Reflect.set(composer, 'onError', bounded);
}
