import { MAX_RESTORE_JOB_NAME } from '#api/backups/name-limits.ts';
import { BACKUP, RESTORE_JOB } from '#api/backups/resources.ts';
import { type RestorePoint, restorePointOf } from '#api/backups/restore-point.ts';
import { dnsSubdomainProblem } from '#api/metadata.ts';
import { type ApplicationRef, readApplicationRef } from '#cli/application-ref.ts';
import type { RunFlags } from '#cli/command/run.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { severalText } from '#cli/find-schedule.ts';
import { hasInput } from '#cli/input.ts';
import type { Io } from '#cli/io.ts';
import type { Shown } from '#cli/look.ts';
import { print } from '#cli/print.ts';
import { reportDiagnostics } from '#cli/report.ts';
import { STATE_FOLDER } from '#cli/state-folder.ts';
import { usageError } from '#cli/usage-error.ts';
import { type Objects, withObjects } from '#cli/with-objects.ts';
import { nearestName } from '#core/nearest-name.ts';
import { MANUAL_ANNOTATION } from '#core/object/annotations.ts';
import { shortened } from '#core/object/label-value.ts';
import type { KubeObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import type { Instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';

const WORDS = [
  'restorejob',
  'restorejobs',
  'restorejob.backups.cozystack.io',
  'restorejobs.backups.cozystack.io',
];

interface Asked {
  readonly flags: RunFlags;
  readonly io: Io;
  readonly target: ApplicationRef | undefined;
}

/** Makes the RestoreJob of a Backup (backups.md, decision 14). */
export async function run(flags: RunFlags, words: readonly string[], io: Io): Promise<ExitCode> {
  const [word = ''] = words;
  if (!WORDS.includes(word.toLowerCase()))
    return usageError(io, `"${escapeText(word)}" is nothing that can be made: write run restorejob`);
  const target = flags.target === undefined ? undefined : readApplicationRef(flags.target);
  if (target?.ok === false) return usageError(io, `--target: ${target.message}`);
  const problem = nameProblem(flags.name);
  if (problem !== undefined) return usageError(io, `--name: ${problem}`);
  const asked = { flags, io, target: target?.value };
  const isLocal = hasInput(flags);
  // What is made has to be stored somewhere, as with reconcile.
  const state = isLocal && flags['dry-run'] !== 'client' ? (flags.state ?? STATE_FOLDER) : flags.state;
  if (isLocal && flags['dry-run'] === 'server')
    return usageError(io, '--dry-run=server asks the API server of a cluster, and -f reads manifests');
  const request = {
    verb: 'run',
    flags: { ...flags, ...(state === undefined ? {} : { state }), 'all-namespaces': false },
    io,
    dryRun: flags['dry-run'] === 'server',
  };
  return withObjects(request, async (objects) => {
    const { store, input } = objects;
    const preparation = flags['dry-run'] === 'client' ? undefined : await store.prepare();
    const { code, diagnostics } =
      preparation?.ok === false
        ? { code: EXIT.failed, diagnostics: [preparation.diagnostic] }
        : await make(objects, asked);
    const told = [...input.diagnostics, ...diagnostics].filter(({ severity }) => severity === 'error');
    await reportDiagnostics(told, { io, flags, stdin: input.stdin });
    return code;
  });
}

function nameProblem(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (name.length > MAX_RESTORE_JOB_NAME)
    return `it has ${name.length} characters, at most ${MAX_RESTORE_JOB_NAME} are allowed`;
  return dnsSubdomainProblem(name);
}

function refused({ io }: Asked, message: string): Shown {
  io.stderr.write(`error: ${message}\n`);
  return { code: EXIT.failed, diagnostics: [] };
}

/** Deterministic for one second, so that asking twice in a row restores once. */
function defaultName(backup: string, now: Instant): string {
  const suffix = `-restore-${now}`;
  return shortened(backup, MAX_RESTORE_JOB_NAME - suffix.length) + suffix;
}

function restoreJob({ key }: RestorePoint, { flags, target }: Asked, now: Instant): KubeObject {
  const { namespace, name } = key;
  return {
    apiVersion: apiVersionOf(RESTORE_JOB),
    kind: RESTORE_JOB.kind,
    metadata: {
      name: flags.name ?? defaultName(name, now),
      namespace,
      annotations: { [MANUAL_ANNOTATION]: 'true' },
    },
    spec: {
      backupRef: { name },
      ...(target === undefined
        ? {}
        : {
            targetApplicationRef: {
              ...(target.group === undefined ? {} : { apiGroup: target.group }),
              kind: target.kind,
              name: target.name,
            },
          }),
    },
  };
}

async function make({ now, store }: Objects, asked: Asked): Promise<Shown> {
  const { flags, io } = asked;
  const listing = await store.list(BACKUP);
  if (listing.state !== 'read')
    return refused(
      asked,
      `backups could not be read${listing.state === 'unreadable' ? `: ${escapeText(listing.reason)}` : ''}`,
    );
  const inReach = listing.objects
    .map(({ object }) => restorePointOf(object))
    .filter(({ key }) => flags.namespace === undefined || key.namespace === flags.namespace);
  const hits = inReach.filter(({ key }) => key.name === flags.backup);
  const [backup] = hits;
  if (backup === undefined) {
    const nearest = nearestName(
      flags.backup,
      inReach.map(({ key }) => key.name),
    );
    const meant = nearest === undefined ? '' : `; did you mean ${escapeText(nearest)}?`;
    return refused(asked, `no Backup named ${escapeText(flags.backup)} was found${meant}`);
  }
  if (hits.length > 1) return { code: usageError(io, severalText(hits, 'Backups')), diagnostics: [] };
  if (backup.phase !== 'Ready') {
    const phase = backup.phase === '' ? 'no phase yet' : `the phase ${escapeText(backup.phase)}`;
    return refused(
      asked,
      `${escapeText(flags.backup)} has ${phase}: only a Backup that is Ready can be restored`,
    );
  }
  const object = restoreJob(backup, asked, now);
  if (flags['dry-run'] !== 'client') {
    const written = await store.create(RESTORE_JOB, object);
    if (!written.ok)
      return refused(asked, `the RestoreJob was not made: ${escapeText(written.failure.message)}`);
  }
  await print(flags.output, { document: () => object, text: () => madeText(object, flags) }, io);
  return { code: EXIT.done, diagnostics: [] };
}

function madeText({ metadata }: KubeObject, flags: RunFlags): string {
  const what = escapeText(`RestoreJob ${metadata.namespace ?? ''}/${metadata.name}`);
  const dryRun = flags['dry-run'];
  if (dryRun === 'client') return `${what} would be made; nothing was written.\n`;
  if (dryRun === 'server') return `${what} was checked by the server; nothing was stored.\n`;
  return `${what} was made. What comes of it: minutehand explain restorejob/${escapeText(metadata.name)}\n`;
}
