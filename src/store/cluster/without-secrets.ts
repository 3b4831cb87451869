/** Shorter pieces are in every text. */
const SHORTEST_PIECE = 6;
const LONGEST = 300;

/** Keys and parts of tokens; words of a sentence and names in a path are shorter or without digits. */
const KEY_LIKE = /[\w+=-]{20,}/g;

const MASK = '***';

function sharesPiece(word: string, secret: string): boolean {
  for (let at = 0; at + SHORTEST_PIECE <= word.length; at += 1) {
    if (secret.includes(word.slice(at, at + SHORTEST_PIECE))) return true;
  }
  return false;
}

/** One line of what a program said, without words that look like keys and without any piece of known secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const masked = words.map((word) => {
    if (secrets.some((secret) => sharesPiece(word, secret))) return MASK;
    return word.replace(KEY_LIKE, (run) => (/\d/.test(run) && /[a-z]/i.test(run) ? MASK : run));
  });
  const line = masked.join(' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
