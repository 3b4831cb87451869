import { valueAt } from '#api/field.ts';
import { decideAsResumed } from '#core/as-resumed.ts';
import { toObjectDocument } from '#core/change/change-document.ts';
import { toDocument } from '#core/change/document.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import { escapeText } from '#render/escape-text.ts';
import { objectText } from '#render/object-text.ts';
import { zoneOf } from '#render/plan-text.ts';
import { resumedText, resumingText, type SuspensionOutcome, suspendedText } from '#render/suspension-text.ts';
import { refused, writtenByHand } from './by-hand.ts';
import type { WriteFlags } from './command/write-flags.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { loadExtension } from './extension.ts';
import { readObjectRef } from './find-schedule.ts';
import type { Io, OpenedStore } from './io.ts';
import { lookAt, type Shown, type Sight } from './look.ts';
import { type OneSchedule, oneSchedule } from './one-schedule.ts';
import { print } from './print.ts';
import { textOptions } from './style.ts';
import { usageError } from './usage-error.ts';

interface Asked {
  readonly flags: WriteFlags;
  readonly io: Io;
  readonly suspend: boolean;
}

/** Suspends or resumes one schedule, where its spec is not a manifest's. */
export async function setSuspended(words: readonly string[], asked: Asked): Promise<ExitCode> {
  const { flags, io } = asked;
  const ref = readObjectRef(words);
  if (!ref.ok) return usageError(io, ref.message);
  const place = writtenByHand(flags, io);
  if (!place.ok) return usageError(io, place.message);
  return lookAt(place.request, async (sight, store) => {
    const found = oneSchedule(sight, ref.value, io);
    return found.ok ? change({ sight, store, schedule: found.value, asked }) : found.shown;
  });
}

interface Case {
  readonly sight: Sight;
  readonly store: OpenedStore;
  readonly schedule: OneSchedule;
  readonly asked: Asked;
}

/** The manifest that spells the object out; one without a namespace is in `default`. */
function manifestOf({ input }: Sight, object: KubeObject): SourcedObject | undefined {
  const id = keyId(keyOf(object));
  return input.objects.find((source) => {
    const key = keyOf(source.object);
    return keyId(key.namespace === '' ? { ...key, namespace: 'default' } : key) === id;
  });
}

function manifestText(manifest: SourcedObject, field: readonly string[], { suspend }: Asked): string {
  const place = manifest.placeOf?.(['spec']);
  const where = place === undefined ? 'a manifest' : `${escapeText(place.file)}:${place.line}`;
  const path = ['spec', ...field].join('.');
  const way = suspend ? `write ${path}: true there` : `write ${path}: false there, or remove it`;
  return `${objectText(keyOf(manifest.object))} is spelled out by ${where}, and so is its spec: ${way}`;
}

async function change(given: Case): Promise<Shown> {
  const { sight, schedule, asked } = given;
  const { flags, suspend, io } = asked;
  const { kind, source } = schedule;
  const { object } = source;
  const { suspension } = kind;
  if (suspension.field === undefined) {
    const why = `a ${kind.resource.kind} has no field that suspends it`;
    return { code: usageError(io, `${why}: ${suspension.instead}`), diagnostics: [] };
  }
  const { field } = suspension;
  const outcome =
    (valueAt(object.spec ?? {}, field) === true) === suspend ? 'unchanged' : (flags['dry-run'] ?? 'done');
  const manifest = outcome === 'unchanged' ? undefined : manifestOf(sight, object);
  if (manifest !== undefined) return leaveToManifest(given, manifest, field);
  const effect = suspend || outcome === 'unchanged' ? undefined : await tellEffect(given);
  const failure = outcome === 'done' || outcome === 'server' ? await write(given, field) : undefined;
  if (failure !== undefined) return failure;
  await show(given, outcome, effect);
  return { code: EXIT.done, diagnostics: [] };
}

/** What a tick would undo is not written; what resuming would do can be shown all the same. */
async function leaveToManifest(
  given: Case,
  manifest: SourcedObject,
  field: readonly string[],
): Promise<Shown> {
  const { flags, io, suspend } = given.asked;
  if (!suspend && flags['dry-run'] === 'client') await show(given, 'refused', await tellEffect(given));
  return refused(io, manifestText(manifest, field, given.asked), EXIT.failed);
}

/** What is told where it did not go through. */
async function write({ store, schedule, asked }: Case, field: readonly string[]): Promise<Shown | undefined> {
  const preparation = await store.prepare();
  if (!preparation.ok) return { code: EXIT.failed, diagnostics: [preparation.diagnostic] };
  const { resource } = schedule.kind;
  const { object } = schedule.source;
  const { uid = '', resourceVersion = '' } = object.metadata;
  const precondition = { uid, resourceVersion };
  const written = await store.setSpecField(resource, keyOf(object), precondition, field, asked.suspend);
  if (written.ok) return undefined;
  const { kind: why, message } = written.failure;
  const rights = `to patch ${resource.plural} takes a right of your own, which no role of policies/rbac has`;
  const way = why === 'forbidden' ? `\n  fix: ${rights}` : '';
  return refused(asked.io, `nothing was written: ${escapeText(message)}${way}`, EXIT.partly);
}

/** The same decision as that of a tick, over the object without its suspension. */
async function effectOf({ sight, schedule }: Case): Promise<Reconciliation> {
  const { observed, settings } = sight.tick;
  const { kind, source } = schedule;
  const extend = await loadExtension([source]);
  const input = { observed, settings, now: sight.now, ...(extend === undefined ? {} : { extend }) };
  return decideAsResumed(input, kind, source);
}

async function tellEffect(given: Case): Promise<Reconciliation> {
  const { flags, io } = given.asked;
  const effect = await effectOf(given);
  if (flags.output === 'text') io.stdout.write(effectText(effect, given));
  return effect;
}

function effectText(effect: Reconciliation, { sight, asked }: Case): string {
  const { flags, io } = asked;
  const [schedule] = effect.changeSet.schedules;
  if (schedule === undefined) return '';
  const view = { now: sight.now, zone: zoneOf(effect, schedule) };
  return resumingText(schedule, view, textOptions(io.stdout, io, flags));
}

function show(
  { schedule, asked }: Case,
  outcome: SuspensionOutcome,
  effect: Reconciliation | undefined,
): Promise<void> {
  const { flags, io, suspend } = asked;
  const { kind, source } = schedule;
  const key = keyOf(source.object);
  const view = {
    document: () => ({
      formatVersion: 1,
      ...toObjectDocument(apiVersionOf(kind.resource), key),
      suspended: suspend,
      outcome,
      ...(effect === undefined ? {} : { effect: toDocument(effect.changeSet) }),
    }),
    text: () =>
      suspend ? suspendedText(key, outcome, kind.rules.suspendedSlots) : resumedText(key, outcome),
  };
  return print(flags.output, view, io);
}
