/**
 * A part that opens on a click.
 * @param summary between HTML tags: `escapeMarkup` and `htmlCode` hold there, and nothing that is Markdown
 * @param body Markdown, with its own fences and details closed
 */
export function details(summary: string, body: string): string {
  return `<details>\n<summary>${summary.replace(/[\r\n]+/g, ' ')}</summary>\n\n${body.trimEnd()}\n\n</details>\n`;
}
