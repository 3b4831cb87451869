/** `MINUTEHAND_TEST=long` (`npm run test:long`) runs all of what is otherwise only sampled. */
export const IS_LONG = process.env['MINUTEHAND_TEST'] === 'long';

/** How many times as long random tests search. */
export const RANDOM_FACTOR = IS_LONG ? 20 : 1;
