/** Equal to `version` in package.json, which the bundled file does not carry. */
export const VERSION = '0.1.0';
