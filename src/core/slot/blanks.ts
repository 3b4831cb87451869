/** White space as Go's `strings.Fields` splits at: Unicode's property, which unlike `\s` lacks U+FEFF and has U+0085. */
function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x80) return false;
  if (code === 0x85 || code === 0xa0 || code === 0x1680) return true;
  return (
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** The first position from `at` on that holds no blank (`skipWord`: one), or the length. */
export function skipBlanks(text: string, at: number): number {
  let position = at;
  while (position < text.length && isBlank(text.charCodeAt(position))) position++;
  return position;
}

export function skipWord(text: string, at: number): number {
  let position = at;
  while (position < text.length && !isBlank(text.charCodeAt(position))) position++;
  return position;
}

export function words(text: string): string[] {
  const found: string[] = [];
  for (let at = skipBlanks(text, 0); at < text.length; ) {
    const end = skipWord(text, at);
    found.push(text.slice(at, end));
    at = skipBlanks(text, end);
  }
  return found;
}

export function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
  const start = skipBlanks(text, 0);
  return start === 0 && end === text.length ? text : text.slice(start, Math.max(start, end));
}
