/** Valid inside JSON strings as they stand, but not fit for a terminal. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function escapeUnits(text: string): string {
  if (text === '\n') return text;
  const units = [...Array(text.length).keys()].map((index) => text.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** The same JSON with every character that moves or hides something escaped; line breaks of the layout stay. */
export function escapeJson(json: string): string {
  return json.replace(UNSEEN, escapeUnits);
}
