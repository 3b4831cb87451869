/** What a user types. */
export const PROGRAM = 'minutehand';
