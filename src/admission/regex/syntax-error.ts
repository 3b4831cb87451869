/** An expression that RE2 would not take, or that is larger than what is tried here. */
export class RegexSyntaxError extends Error {}
