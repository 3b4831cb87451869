/** Undefined for what is no JSON: text from objects may be anything. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
