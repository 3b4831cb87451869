import type { ExplainFlags } from '#cli/command/explain.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { type ObjectRef, objectsNamed, severalText } from '#cli/find-schedule.ts';
import type { Io } from '#cli/io.ts';
import { lookAt, type Shown, type Sight } from '#cli/look.ts';
import { readingCode } from '#cli/outcome.ts';
import { print } from '#cli/print.ts';
import { textOptions } from '#cli/style.ts';
import type { Tick } from '#cli/tick.ts';
import { usageError } from '#cli/usage-error.ts';
import { toldAboutName, toldWith } from '#core/diagnostic.ts';
import { fieldOf } from '#core/field-of.ts';
import { nearestName } from '#core/nearest-name.ts';
import { keyOf } from '#core/object/key.ts';
import { listingOf } from '#core/observed.ts';
import { toOrderDocument } from '#core/order-document.ts';
import { DRIVERS } from '#drivers/index.ts';
import { escapeText } from '#render/escape-text.ts';
import { orderText } from '#render/order-text.ts';

/** Tells where one order of a driver stands: what it was resolved to, what carries it out, what it waits for. */
export async function explainOrder(flags: ExplainFlags, ref: ObjectRef, io: Io): Promise<ExitCode> {
  return lookAt({ flags, io }, (sight) => show(sight, ref, { flags, io }));
}

/** The configuration leaves out those who would look at it, so that nobody knows more. */
function leftOut({ drivers }: Tick, { types, name }: ObjectRef): string | undefined {
  const off = DRIVERS.find(({ id, orders }) => {
    return orders.some((type) => types.includes(type)) && drivers.every((driver) => driver.id !== id);
  });
  if (off === undefined) return undefined;
  const kinds = off.orders.map(({ kind }) => kind).join(' or ');
  const field = fieldOf(off.id);
  return `of a ${kinds} such as "${escapeText(name)}" nothing is known, since the configuration does not say ${field}: manage; give the one of the tick with --config`;
}

/** What has the name, and is no order: its kind has others as well, such as Jobs of the cluster's own controller. */
function leftToOthers({ observed }: Tick, { types, name }: ObjectRef): string | undefined {
  const found = types
    .flatMap((type) => {
      const listing = listingOf(observed, type);
      return listing.state === 'read' ? listing.objects : [];
    })
    .find(({ object }) => object.metadata.name === name);
  if (found === undefined) return undefined;
  const { kind } = found.object;
  return `${kind} ${escapeText(name)} is carried out by somebody else; if a schedule started it, explain that`;
}

function noneText(ref: ObjectRef, names: readonly string[]): string {
  const kinds = [...new Set(ref.types.map(({ kind }) => kind))].join(' or ');
  const nearest = nearestName(ref.name, names);
  const meant = nearest === undefined ? '' : `; did you mean ${escapeText(nearest)}?`;
  return `no ${kinds} named ${escapeText(ref.name)} was found in what was read${meant}`;
}

async function show(
  sight: Sight,
  ref: ObjectRef,
  { flags, io }: { readonly flags: ExplainFlags; readonly io: Io },
): Promise<Shown> {
  const { tick, now, diagnostics } = sight;
  const orders = [...tick.reconciliation.works.values()].map((driven) => ({
    driven,
    key: keyOf(driven.work.source.object),
  }));
  const hits = objectsNamed(orders, ref);
  const [hit] = hits;
  if (hit === undefined) {
    const names = orders.filter(({ key }) => ref.types.some(({ kind }) => kind === key.kind));
    const message =
      leftOut(tick, ref) ??
      leftToOthers(tick, ref) ??
      noneText(
        ref,
        names.map(({ key }) => key.name),
      );
    io.stderr.write(`error: ${message}\n`);
    return { code: EXIT.failed, diagnostics: toldAboutName(diagnostics, ref.name) };
  }
  if (hits.length > 1) return { code: usageError(io, severalText(hits, 'objects')), diagnostics: [] };
  const view = {
    document: () => toOrderDocument(hit.driven, now),
    text: () => `${orderText(hit.driven, textOptions(io.stdout, io, flags))}\n`,
  };
  await print(flags.output, view, io);
  return { code: readingCode(sight), diagnostics: toldWith(diagnostics, hit.key) };
}
