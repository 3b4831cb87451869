import { refused, writtenByHand } from '#cli/by-hand.ts';
import type { RunFlags } from '#cli/command/run.ts';
import type { ExitCode } from '#cli/exit-code.ts';
import { EXIT } from '#cli/exit-code.ts';
import { readObjectRef } from '#cli/find-schedule.ts';
import { followUp } from '#cli/follow-up.ts';
import { heldText } from '#cli/held-text.ts';
import type { Io, OpenedStore } from '#cli/io.ts';
import { lookAt, type Shown, type Sight } from '#cli/look.ts';
import { isStartable, type OneSchedule, oneSchedule } from '#cli/one-schedule.ts';
import { orderBeside } from '#cli/order-beside.ts';
import { print } from '#cli/print.ts';
import { usageError } from '#cli/usage-error.ts';
import { toBody } from '#core/change/change-document.ts';
import { newMask } from '#core/change/mask.ts';
import { toldAbout } from '#core/diagnostic.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { type ByHand, decideByHand } from '#core/run-by-hand.ts';
import type { Entry } from '#core/settle.ts';
import { escapeText } from '#render/escape-text.ts';
import { objectText } from '#render/object-text.ts';
import { listed } from '#render/plural.ts';

interface Asked {
  readonly flags: RunFlags;
  readonly io: Io;
  /** The state folder, where there is one. */
  readonly state: string | undefined;
}

const OF_RESTORE = ['backup', 'target', 'name'] as const;

/** Makes what a slot of one schedule would make, once and now. */
export async function runSchedule(flags: RunFlags, words: readonly string[], io: Io): Promise<ExitCode> {
  const [word = ''] = words;
  if (words.length === 1 && !word.includes('/')) {
    const way = 'write KIND/NAME, such as cronjob/nightly, or restorejob --backup NAME';
    return usageError(io, `"${escapeText(word)}" is nothing that can be run: ${way}`);
  }
  const ref = readObjectRef(words);
  if (!ref.ok) return usageError(io, ref.message);
  const foreign = OF_RESTORE.find((flag) => flags[flag] !== undefined);
  if (foreign !== undefined) return usageError(io, `--${foreign} belongs to restorejob, not to KIND/NAME`);
  const place = writtenByHand(flags, io);
  if (!place.ok) return usageError(io, place.message);
  const { state } = place;
  const writes = (sight: Sight): boolean => flags['dry-run'] !== 'client' && isStartable(sight, ref.value);
  const request = { ...place.request, writes };
  return lookAt(request, async (sight, store) => {
    const found = oneSchedule(sight, ref.value, io);
    return found.ok ? start(sight, store, found.value, { flags, io, state }) : found.shown;
  });
}

async function start(sight: Sight, store: OpenedStore, one: OneSchedule, asked: Asked): Promise<Shown> {
  const { key, verdict } = one.changes;
  const entry = sight.tick.reconciliation.entries.get(keyId(key));
  if (entry === undefined) {
    const shown = refused(asked.io, `${objectText(key)} is ${verdict.code}: nothing is started`, EXIT.failed);
    return { ...shown, diagnostics: toldAbout(sight.diagnostics, key) };
  }
  if (verdict.code === 'deleting')
    return refused(asked.io, `${objectText(key)} is being deleted: nothing is started`, EXIT.failed);
  const options = { now: sight.now, despiteRunning: asked.flags['despite-running'] };
  const decision = decideByHand(entry, sight.tick.observed, options);
  if (decision.state === 'held') return refused(asked.io, heldText(entry, decision.by), EXIT.partly);
  if (!options.despiteRunning) {
    for (const run of decision.runs) {
      const beside = await orderBeside(store, run.build());
      if (beside !== undefined) return refused(asked.io, beside, EXIT.partly);
    }
  }
  if (entry.schedule.suspended)
    asked.io.stderr.write(`note: ${objectText(key)} is suspended, and is run once all the same\n`);
  return make(store, entry, decision, asked);
}

/** Each by itself: one that fails never stops the others. */
async function make(
  store: OpenedStore,
  entry: Entry,
  { runs, blocked, omitted }: Extract<ByHand, { readonly state: 'start' }>,
  asked: Asked,
): Promise<Shown> {
  const { flags, io } = asked;
  const whys = [...blocked, ...omitted].map(({ what }) => escapeText(what));
  if (runs.length === 0)
    return refused(asked.io, `there is nothing to start: ${whys.join('; ')}`, EXIT.failed);
  for (const why of whys) io.stderr.write(`warning: ${why}\n`);
  const made: KubeObject[] = [];
  for (const run of runs) {
    const object = run.build();
    const written = flags['dry-run'] === 'client' ? undefined : await store.create(entry.kind.run, object);
    if (written === undefined || written.ok) made.push(object);
    else {
      const { kind, message } = written.failure;
      const what = `${objectText(keyOf(object))} was not made: ${escapeText(message.replace(/\.$/, ''))}`;
      const fix = kind === 'exists' ? '; its name is that of this second: ask again in the next one' : '';
      io.stderr.write(`error: ${what}${fix}\n`);
    }
  }
  if (made.length === 0) return { code: EXIT.failed, diagnostics: [] };
  const text = await madeText(made, entry, asked);
  await print(flags.output, { document: () => documentOf(made), text: () => text }, io);
  const whole = made.length === runs.length && blocked.length === 0;
  return { code: whole ? EXIT.done : EXIT.partly, diagnostics: [] };
}

/** One object as it is; several as kubectl lists them. */
function documentOf(made: readonly KubeObject[]): unknown {
  const mask = newMask();
  const shown = made.map((object) => toBody(object, mask));
  return shown.length === 1 ? shown[0] : { apiVersion: 'v1', kind: 'List', items: shown };
}

async function madeText(made: readonly KubeObject[], entry: Entry, asked: Asked): Promise<string> {
  const { flags, state } = asked;
  const what = listed(made.map((object) => objectText(keyOf(object))));
  const [was, it] = made.length === 1 ? ['was', 'it'] : ['were', 'them'];
  const dryRun = flags['dry-run'];
  if (dryRun === undefined) {
    const { resource } = entry.kind;
    const named = `${resource.singular}.${resource.group}/${entry.schedule.object.metadata.name}`;
    const where = { ...flags, ...(state === undefined ? {} : { state }) };
    return `${what} ${was} made. What comes of ${it}: ${followUp(['explain', named], where)}\n`;
  }
  const { toYaml } = await import('#render/yaml.ts');
  const done =
    dryRun === 'client'
      ? 'would be made; nothing was written'
      : `${was} checked by the server; nothing was stored`;
  return `${what} ${done}.\n\n${toYaml(documentOf(made))}`;
}
