import { argv, stdout } from 'node:process';
import { instant } from '#core/time/instant.ts';
import { lockHolder } from '#store/directory/holder.ts';
import { openDirectoryStore } from '#store/directory/open-directory-store.ts';
import { CRON_JOB, cronJob } from '#test/store/fixtures.ts';

/** Prepares a state folder and lists, and prints both answers as JSON. */
const store = await openDirectoryStore({
  manifests: [{ object: cronJob('harbor', 'nightly') }],
  complete: true,
  state: argv[2] ?? '',
  now: instant(1_780_000_000),
  holder: lockHolder(),
  clock: Date.now,
});
const prepared = await store.prepare();
const listing = await store.list(CRON_JOB);
await store.close();
stdout.write(JSON.stringify({ prepared, listing }));
