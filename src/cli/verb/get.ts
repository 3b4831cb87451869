import { BACKUP } from '#api/backups/resources.ts';
import { compareRestorePoints, toRestorePointDocument } from '#api/backups/restore-point.ts';
import { readApplicationRef } from '#cli/application-ref.ts';
import { type BackupFilter, findBackups } from '#cli/backup-filter.ts';
import type { GetFlags } from '#cli/command/get.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import type { Io } from '#cli/io.ts';
import { print } from '#cli/print.ts';
import { reportDiagnostics } from '#cli/report.ts';
import { noteUnusedState, RECORDS } from '#cli/state-folder.ts';
import { textOptions } from '#cli/style.ts';
import { usageError } from '#cli/usage-error.ts';
import { type Objects, withObjects } from '#cli/with-objects.ts';
import { backupsText } from '#render/backups-text.ts';
import { escapeText } from '#render/escape-text.ts';

const KINDS_LISTED = ['backups', 'backup', 'backups.backups.cozystack.io', 'backup.backups.cozystack.io'];

/** Lists the points that an application can be restored from (backups.md, decision 14). */
export async function get(flags: GetFlags, words: readonly string[], io: Io): Promise<ExitCode> {
  const [word = ''] = words;
  if (!KINDS_LISTED.includes(word.toLowerCase()))
    return usageError(io, `"${escapeText(word)}" is nothing that can be listed: write get backups`);
  const application = flags.application === undefined ? undefined : readApplicationRef(flags.application);
  if (application?.ok === false) return usageError(io, `--application: ${application.message}`);
  const { namespace, plan } = flags;
  const filter = { namespace, application: application?.value, plan };
  return withObjects({ flags, io }, async (objects) => {
    const { input } = objects;
    const code = await show(objects, filter, { flags, io });
    const told = [...input.diagnostics, ...objects.store.diagnostics()].filter(
      ({ severity }) => severity === 'error',
    );
    await reportDiagnostics(told, { io, flags, stdin: input.stdin });
    if (objects.place.kind === 'files') await noteUnusedState(flags.state, io, RECORDS);
    return code === EXIT.done && (input.failedReads || told.length > 0) ? EXIT.partly : code;
  });
}

async function show(
  { store, now }: Objects,
  filter: BackupFilter,
  { flags, io }: { readonly flags: GetFlags; readonly io: Io },
): Promise<ExitCode> {
  const listing = await store.list(BACKUP);
  if (listing.state !== 'read') {
    const reason = listing.state === 'absent' ? 'they are not served here' : listing.reason;
    io.stderr.write(`error: backups could not be read: ${escapeText(reason)}\n`);
    return EXIT.failed;
  }
  const found = findBackups(
    listing.objects.map(({ object }) => object),
    filter,
  );
  const backups = found.points.toSorted(compareRestorePoints);
  const view = {
    document: () => ({ formatVersion: 1, backups: backups.map(toRestorePointDocument) }),
    text: () => backupsText(backups, now, textOptions(io.stdout, io, flags)),
  };
  await print(flags.output, view, io);
  const gaps = (listing.incomplete?.size ?? 0) > 0 || (listing.unreadable?.length ?? 0) > 0;
  // What could not be read may be what was asked for.
  if (!gaps) for (const note of found.notes) io.stderr.write(`note: ${note}\n`);
  return gaps ? EXIT.partly : EXIT.done;
}
