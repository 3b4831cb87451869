import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';
import { instant } from '#core/time/instant.ts';
import { lockHolder } from '#store/directory/holder.ts';
import type { DirectoryStore } from '#store/directory/open-directory-store.ts';
import { openDirectoryStore } from '#store/directory/open-directory-store.ts';

/** Takes orders, one a line: `open FOLDER`, `take`, `give`; answers each with one line. */
let store: DirectoryStore | undefined;

async function obey(line: string): Promise<string> {
  if (line.startsWith('open ')) {
    const state = line.slice(5);
    const now = instant(Date.now() / 1000);
    store = await openDirectoryStore({
      manifests: [],
      complete: true,
      state,
      now,
      holder: lockHolder(),
      clock: Date.now,
    });
    return 'opened';
  }
  if (line === 'give') {
    await store?.close();
    return 'gave';
  }
  const prepared = await store?.prepare();
  return prepared?.ok ? 'won' : (prepared?.diagnostic.code ?? 'not open');
}

for await (const line of createInterface({ input: stdin })) stdout.write(`${await obey(line)}\n`);
