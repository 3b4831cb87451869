import { maskText, newMask } from '#core/change/mask.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { Place } from '#core/object/object.ts';
import type { Io } from './io.ts';

/** Files that are read once more for their lines; in a tree full of faults a picture of each helps nobody. */
const MOST_FILES = 20;
/** Members whose values may be anything, a password too, or a URL that is one. */
const PRIVATE_STEPS: ReadonlySet<string | number> = new Set([
  'env',
  'data',
  'stringData',
  'annotations',
  'telemetry',
]);

export type LineOf = (place: Place) => string | undefined;

function mayShow({ place, path = [] }: Diagnostic): boolean {
  return place !== undefined && !path.some((step) => PRIVATE_STEPS.has(step));
}

/** `{name: PASSWORD, value: …}` on one line is no assignment that a mask would see. */
function isHarmless(line: string): boolean {
  return !/\bvalue["']?\s*:|ENC\[AES256_GCM,/.test(line) && maskText(line, newMask()) === line;
}

async function linesOf(file: string, io: Io, stdin: Uint8Array | undefined): Promise<readonly string[]> {
  try {
    const text = file === '-' ? new TextDecoder().decode(stdin ?? new Uint8Array()) : await io.readText(file);
    return text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  } catch {
    // The picture is left out; that the file cannot be read is told elsewhere.
    return [];
  }
}

/**
 * The source lines of diagnostics; a line that may hold a secret is never shown.
 * @param rewritten a folder that was written to since its places were found: its lines may be others now
 */
export async function sourceLines(
  diagnostics: readonly Diagnostic[],
  io: Io,
  stdin: Uint8Array | undefined,
  rewritten?: string,
): Promise<LineOf> {
  const found = diagnostics.filter(mayShow).flatMap(({ place }) => (place === undefined ? [] : [place]));
  const shown =
    rewritten === undefined ? found : found.filter(({ file }) => !file.startsWith(`${rewritten}/`));
  const files = [...new Set(shown.map(({ file }) => file))].slice(0, MOST_FILES);
  const texts = new Map(
    await Promise.all(files.map(async (file) => [file, await linesOf(file, io, stdin)] as const)),
  );
  const allowed = new Set(shown.map(({ file, line, column }) => `${line}:${column}:${file}`));
  return ({ file, line, column }) => {
    const text = allowed.has(`${line}:${column}:${file}`) ? texts.get(file)?.[line - 1] : undefined;
    return text !== undefined && isHarmless(text) ? text : undefined;
  };
}
