import { refused } from '#cli/by-hand.ts';
import type { AdoptFlags } from '#cli/command/adopt.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { type ObjectRef, readObjectRef } from '#cli/find-schedule.ts';
import type { Io, OpenedStore } from '#cli/io.ts';
import { lookAt, type Shown, type Sight } from '#cli/look.ts';
import { oneNamed } from '#cli/one-schedule.ts';
import { readingCode } from '#cli/outcome.ts';
import { print } from '#cli/print.ts';
import { usageError } from '#cli/usage-error.ts';
import { toObjectDocument } from '#core/change/change-document.ts';
import { toldAbout } from '#core/diagnostic.ts';
import { fieldOf } from '#core/field-of.ts';
import { withoutHeldAnchor } from '#core/held-anchor.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import type { Entry } from '#core/settle.ts';
import { fieldOwners, writerOf } from '#core/writer.ts';
import { type Adoption, adoptText } from '#render/adopt-text.ts';
import { escapeText } from '#render/escape-text.ts';

interface Asked {
  readonly flags: AdoptFlags;
  readonly io: Io;
}

/** Makes the status fields of one schedule ours, which others wrote (design.md 3.8). */
export async function adopt(flags: AdoptFlags, words: readonly string[], io: Io): Promise<ExitCode> {
  const ref = readObjectRef(words);
  if (!ref.ok) return usageError(io, ref.message);
  const look = { ...flags, recursive: false, 'all-namespaces': false };
  const request = { flags: look, io, dryRun: flags['dry-run'] === 'server' };
  return lookAt(request, (sight, store) => take(sight, store, ref.value, { flags, io }));
}

async function take(sight: Sight, store: OpenedStore, ref: ObjectRef, asked: Asked): Promise<Shown> {
  const named = oneNamed(sight, ref, asked.io);
  if (!named.ok) return named.shown;
  const { value: changes } = named;
  const entry = sight.tick.reconciliation.entries.get(keyId(changes.key));
  if (entry === undefined) {
    const shown = refused(
      asked.io,
      `it is ${changes.verdict.code}, and is taken over once that is mended`,
      EXIT.partly,
    );
    return { ...shown, diagnostics: toldAbout(sight.diagnostics, changes.key) };
  }
  return takeEntry(sight, store, entry, asked);
}

async function takeEntry(sight: Sight, store: OpenedStore, entry: Entry, asked: Asked): Promise<Shown> {
  const { flags, io } = asked;
  const { kind, schedule } = entry;
  const { object } = schedule;
  const writer = writerOf(kind, object, sight.tick.settings);
  if (writer.state === 'observed' && writer.since === 'configuration') {
    const way = `let the configuration say ${fieldOf(kind.id)}: manage`;
    return {
      code: usageError(io, `a ${kind.resource.kind} is left to ${writer.actor} here: ${way}`),
      diagnostics: [],
    };
  }
  const fields = kind.rules.statusFields;
  const { metadata } = object;
  const key = keyOf(object);
  const adoption: Adoption = {
    key,
    owners: fieldOwners(withoutHeldAnchor(kind.rules, object), fields),
    outcome: writer.state === 'ours' ? 'ours' : (flags['dry-run'] ?? 'taken'),
  };
  const errors = sight.diagnostics.filter(({ severity }) => severity === 'error');
  const shown = { code: readingCode(sight), diagnostics: errors };
  if (adoption.outcome === 'ours' || adoption.outcome === 'client') {
    await show(adoption, kind.resource, asked);
    return shown;
  }
  const { uid = '', resourceVersion = '' } = metadata;
  const written = await store.takeStatus?.(kind.resource, key, { uid, resourceVersion }, fields);
  if (written?.ok !== true) {
    await show({ ...adoption, outcome: 'failed' }, kind.resource, asked);
    const { message = 'nobody else writes here' } = written?.failure ?? {};
    return { ...refused(asked.io, escapeText(message), EXIT.partly), diagnostics: errors };
  }
  await show(adoption, kind.resource, asked);
  return shown;
}

function show(adoption: Adoption, type: ResourceType, { flags, io }: Asked): Promise<void> {
  const { key, owners, outcome } = adoption;
  const view = {
    document: () => ({
      formatVersion: 1,
      ...toObjectDocument(apiVersionOf(type), key),
      statusFields: owners,
      outcome,
    }),
    text: () => adoptText(adoption),
  };
  return print(flags.output, view, io);
}
