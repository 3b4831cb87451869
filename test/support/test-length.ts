/** `MINUTEHAND_TEST=long` runs all of what is otherwise only sampled. */
export const IS_LONG = process.env['MINUTEHAND_TEST'] === 'long';
