import { MAX_RESTORE_JOB_NAME } from '#api/backups/name-limits.ts';
import { type Application, referenceText } from '#api/backups/reference.ts';
import { BACKUP, RESTORE_JOB } from '#api/backups/resources.ts';
import { type RestorePoint, restorePointOf } from '#api/backups/restore-point.ts';
import { dnsSubdomainProblem } from '#api/metadata.ts';
import { quoted } from '#api/shown-value.ts';
import { type ApplicationRef, readApplicationRef } from '#cli/application-ref.ts';
import { writtenByHand } from '#cli/by-hand.ts';
import type { RunFlags } from '#cli/command/run.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { severalText } from '#cli/find-schedule.ts';
import { followUp } from '#cli/follow-up.ts';
import { hasInput } from '#cli/input.ts';
import type { Io, OpenedStore } from '#cli/io.ts';
import { orderBeside, restoredInto } from '#cli/order-beside.ts';
import { print } from '#cli/print.ts';
import { reportDiagnostics } from '#cli/report.ts';
import { checkTarget } from '#cli/restore-target.ts';
import { noteUnusedState, RECORDS } from '#cli/state-folder.ts';
import { failure, usageError } from '#cli/usage-error.ts';
import { type Objects, withObjects } from '#cli/with-objects.ts';
import { isError } from '#core/diagnostic.ts';
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
  /** The state folder, where there is one. */
  readonly state: string | undefined;
  readonly target: ApplicationRef | undefined;
}

/** Runs a schedule once, or makes the RestoreJob of a Backup (backups.md, decision 14). */
export async function run(flags: RunFlags, words: readonly string[], io: Io): Promise<ExitCode> {
  const [word = ''] = words;
  if (!WORDS.includes(word.toLowerCase()))
    return (await import('./run-schedule.ts')).runSchedule(flags, words, io);
  const wrong = restoreProblem(flags, words);
  if (wrong !== undefined) return usageError(io, wrong);
  const target = flags.target === undefined ? undefined : readApplicationRef(flags.target);
  if (target?.ok === false) return usageError(io, `--target: ${target.message}`);
  const problem = nameProblem(flags.name);
  if (problem !== undefined) return usageError(io, `--name: ${problem}`);
  const place = writtenByHand(flags, io);
  if (!place.ok) return usageError(io, place.message);
  const { state, request } = place;
  const isDry = flags['dry-run'] === 'client';
  const asked = { flags, io, state, target: target?.value };
  return withObjects(request, async (objects) => {
    const { input } = objects;
    const code = await make(objects, asked);
    await reportDiagnostics(input.diagnostics.filter(isError), { io, flags, stdin: input.stdin });
    if (hasInput(flags) && isDry && flags.state !== undefined) await noteUnusedState(state, io, RECORDS);
    return code;
  });
}

function restoreProblem(flags: RunFlags, words: readonly string[]): string | undefined {
  if (words.length > 1)
    return `${quoted(words[1] ?? '')} is one word too many: name the Backup with --backup`;
  if (flags.backup === undefined) return 'which Backup? Write run restorejob --backup NAME';
  return undefined;
}

function nameProblem(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (name.length > MAX_RESTORE_JOB_NAME)
    return `it has ${name.length} characters, at most ${MAX_RESTORE_JOB_NAME} are allowed`;
  return dnsSubdomainProblem(name);
}

/** Deterministic for one second, so that asking twice in a row restores once. */
function defaultName(backup: string, now: Instant): string {
  const suffix = `-restore-${now}`;
  return shortened(backup, MAX_RESTORE_JOB_NAME - suffix.length) + suffix;
}

function restoreJob(
  { key }: RestorePoint,
  { flags, target }: Pick<Asked, 'flags' | 'target'>,
  now: Instant,
): KubeObject {
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

/** One of the name in another namespace, else one of nearly that name. */
function meantText(
  points: readonly RestorePoint[],
  inReach: readonly RestorePoint[],
  { backup = '' }: RunFlags,
): string {
  const elsewhere = points.find(({ key }) => key.name === backup);
  if (elsewhere !== undefined)
    return `; there is one in the namespace ${escapeText(elsewhere.key.namespace)}`;
  const nearest = nearestName(
    backup,
    inReach.map(({ key }) => key.name),
  );
  return nearest === undefined ? '' : `; did you mean ${escapeText(nearest)}?`;
}

function notReadyText({ key, phase }: RestorePoint): string {
  const state = phase === '' ? 'no phase yet' : `the phase ${escapeText(phase)}`;
  return `${escapeText(key.name)} has ${state}: only a Backup that is Ready can be restored`;
}

/** What keeps the store from being written to is told. */
async function mayWrite(store: OpenedStore, { flags, io }: Asked): Promise<boolean> {
  const preparation = flags['dry-run'] === 'client' ? undefined : await store.prepare();
  if (preparation?.ok !== false) return true;
  await reportDiagnostics([preparation.diagnostic], { io, flags, stdin: undefined });
  return false;
}

async function make(objects: Objects, asked: Asked): Promise<ExitCode> {
  const { now, store } = objects;
  const { flags, io } = asked;
  const listing = await store.list(BACKUP);
  if (listing.state !== 'read')
    return failure(
      io,
      `backups could not be read${listing.state === 'unreadable' ? `: ${escapeText(listing.reason)}` : ''}`,
      EXIT.failed,
    );
  const points = listing.objects.map(({ object }) => restorePointOf(object));
  const inReach = points.filter(
    ({ key }) => flags.namespace === undefined || key.namespace === flags.namespace,
  );
  const { backup: name = '' } = flags;
  const hits = inReach.filter(({ key }) => key.name === name);
  const [backup] = hits;
  if (backup === undefined)
    return failure(
      io,
      `no Backup named ${escapeText(name)} was found${meantText(points, inReach, flags)}`,
      EXIT.failed,
    );
  if (hits.length > 1) return usageError(io, severalText(hits, 'Backups'));
  if (backup.phase !== 'Ready') return failure(io, notReadyText(backup), EXIT.failed);
  const checked = await checkTarget(objects, backup, asked.target);
  if (!checked.ok) return failure(io, checked.message, EXIT.failed);
  if (checked.warning !== undefined) io.stderr.write(`warning: ${checked.warning}\n`);
  // Not before: a state folder is not made for a restore that is refused.
  if (!(await mayWrite(store, asked))) return EXIT.failed;
  const object = restoreJob(backup, { flags, target: checked.target }, now);
  const beside = flags['despite-running'] ? undefined : await orderBeside(store, object, points);
  if (beside !== undefined) return failure(io, beside, EXIT.partly);
  const fault = flags['dry-run'] === 'client' ? undefined : await create(store, object);
  if (fault !== undefined) return failure(io, fault, EXIT.failed);
  const text = await madeText(object, restoredInto(object, points), asked);
  await print(flags.output, { document: () => object, text: () => text }, io);
  return EXIT.done;
}

/** Why it was not made; undefined where it was. */
async function create(store: OpenedStore, object: KubeObject): Promise<string | undefined> {
  const written = await store.create(RESTORE_JOB, object);
  if (written.ok) return undefined;
  const { kind, message } = written.failure;
  const fix = kind === 'exists' ? '; name this one otherwise with --name' : '';
  return `the RestoreJob was not made: ${escapeText(message.replace(/\.$/, ''))}${fix}`;
}

/** A dry run shows the object, which is nowhere to be looked up. */
async function madeText(
  object: KubeObject,
  target: Application | undefined,
  { flags, state }: Asked,
): Promise<string> {
  const { metadata } = object;
  const what = escapeText(`RestoreJob ${metadata.namespace ?? ''}/${metadata.name}`);
  const dryRun = flags['dry-run'];
  const over = target === undefined ? '' : ` It writes over ${escapeText(referenceText(target))}.`;
  if (dryRun === undefined) {
    const command = followUp(['explain', `restorejob/${metadata.name}`], {
      ...flags,
      ...(state === undefined ? {} : { state }),
    });
    return `${what} was made.${over} What comes of it: ${command}\n`;
  }
  const { toYaml } = await import('#render/yaml.ts');
  const done =
    dryRun === 'client'
      ? 'would be made; nothing was written'
      : 'was checked by the server; nothing was stored';
  return `${what} ${done}.${over}\n\n${toYaml(object)}`;
}
