import { type GitOutput, type GitPlace, runGit } from './git.ts';

/** Contents of a commit by their ids. */
export interface Blobs {
  /** In bytes; undefined when the clone does not have it. */
  readonly sizeOf: (id: string) => number | undefined;
  /** Undefined for one that is missing or too large; rejects when git fails. */
  readonly read: (id: string) => Promise<Uint8Array | undefined>;
}

export type OpenedBlobs = { readonly blobs: Blobs } | Extract<GitOutput, { readonly ok: false }>;

/** What one run of git hands over, and is kept until the next one. */
const CHUNK_BYTES = 32 * 1024 * 1024;

/** `ID blob SIZE`, or `ID missing`. */
function sizesIn(stdout: Uint8Array): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const line of new TextDecoder().decode(stdout).split('\n')) {
    const [id, type, size] = line.split(' ');
    if (id !== undefined && type === 'blob') sizes.set(id, Number(size));
  }
  return sizes;
}

/** A header as above and a line break, the bytes, a line break; again and again. */
function contentsIn(stdout: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>();
  for (let start = 0; start < stdout.length; ) {
    const end = stdout.indexOf(0x0a, start);
    if (end < 0) break;
    const [id = '', type, size] = new TextDecoder().decode(stdout.subarray(start, end)).split(' ');
    start = end + 1;
    if (type !== 'blob') continue;
    contents.set(id, stdout.subarray(start, start + Number(size)));
    start += Number(size) + 1;
  }
  return contents;
}

/**
 * @param ids in the order in which they will be read, so that one run of git gives many
 * @param limit bytes of one content; larger ones are never fetched
 */
export async function openBlobs(
  ids: readonly string[],
  limit: number,
  place: GitPlace,
): Promise<OpenedBlobs> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return { blobs: { sizeOf: () => undefined, read: async () => undefined } };
  const checked = await runGit(['cat-file', '--batch-check'], place, `${wanted.join('\n')}\n`);
  if (!checked.ok) return checked;
  const sizes = sizesIn(checked.stdout);
  const readable = wanted.filter((id) => (sizes.get(id) ?? Number.POSITIVE_INFINITY) <= limit);
  const order = new Map(readable.map((id, index) => [id, index]));
  let chunk: ReadonlyMap<string, Uint8Array> = new Map();

  function chunkFrom(first: number): readonly string[] {
    let bytes = 0;
    const beyond = readable.findIndex((id, index) => {
      if (index < first) return false;
      bytes += sizes.get(id) ?? 0;
      return index > first && bytes > CHUNK_BYTES;
    });
    return readable.slice(first, beyond < 0 ? undefined : beyond);
  }

  async function read(id: string): Promise<Uint8Array | undefined> {
    const index = order.get(id);
    if (index === undefined) return undefined;
    if (!chunk.has(id)) {
      const given = await runGit(['cat-file', '--batch'], place, `${chunkFrom(index).join('\n')}\n`);
      if (!given.ok) throw new Error(given.message);
      chunk = contentsIn(given.stdout);
    }
    return chunk.get(id);
  }

  return { blobs: { sizeOf: (id) => sizes.get(id), read } };
}
