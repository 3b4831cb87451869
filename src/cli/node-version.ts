/**
 * The first minor version of a major one with Zstandard in `node:zlib`. Older ones stop somewhere inside the library
 * that reads kubeconfigs, with words that help nobody.
 */
const FIRST = new Map([
  [22, 15],
  [23, 8],
]);
const EARLIEST = Math.min(...FIRST.keys());

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return minor >= (FIRST.get(major) ?? (major > EARLIEST ? 0 : Number.POSITIVE_INFINITY));
}

/** Why this Node cannot run the program; undefined if it can. */
export function nodeProblem(version: string): string | undefined {
  if (isRecent(version)) return undefined;
  const needed = [...FIRST].map(([major, minor]) => `${major}.${minor}`).join(', ');
  const fix =
    'install one of these; only in a clone of its repository `npm ci` brings one, for `npm run` and `npx` there';
  return `minutehand needs Node ${needed} or later, and this is ${version}; ${fix}`;
}
