/** Ends no comment, and gives different texts for different ids. */
function safeId(id: string): string {
  return encodeURIComponent(id.toWellFormed()).replace(/-(?=-|$)/g, '%2D');
}

/**
 * What a comment is found by, so that it is updated in place: not shown, the first line of the body. No text of an
 * object can hold one, because all that this folder makes of texts breaks `<!--` up.
 */
export function commentMarker(subject: string, id: string): string {
  return `<!-- minutehand:${subject} ${safeId(id)} -->`;
}
