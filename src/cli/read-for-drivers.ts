import type { KubeObject } from '#core/object/object.ts';
import type { Listing } from '#core/observed.ts';
import { gapIn } from '#core/observed.ts';
import type { Referred } from '#core/referents.ts';
import type { LabelledReference, Live, LiveObject, LiveReference, RenderTemplate } from '#core/run/driver.ts';
import { labelledId, liveId } from '#core/run/live-id.ts';
import { driverInput, NOTHING_LIVE, type WorksInput } from '#core/works.ts';
import { inLanes } from '#store/in-lanes.ts';
import type { Store } from '#store/port.ts';

/** What drivers decide from beside the lists. */
export interface ReadForDrivers {
  readonly live?: Live;
  readonly render?: RenderTemplate;
  /** What was found by labels, for the self-check. */
  readonly besides?: readonly KubeObject[];
}

/** Requests that are under way together. */
const AT_ONCE = 32;

function searchId({ type, namespace, labels }: LabelledReference): string {
  return labelledId({ ...type, namespace, labels });
}

function referred(listing: Listing, { namespace, type }: LabelledReference): Referred {
  if (listing.state === 'unreadable') return { state: 'unreadable', reason: listing.reason };
  if (listing.state === 'absent')
    return { state: 'unreadable', reason: `${type.plural} are not served here` };
  const reason = gapIn(listing, namespace) ?? listing.unreadable?.[0]?.reason;
  if (reason !== undefined) return { state: 'unreadable', reason };
  return { state: 'read', objects: listing.objects.map(({ object }) => object) };
}

/** Each of them once, a number of them together. */
async function readAll<Reference, Value>(
  references: readonly Reference[],
  idOf: (reference: Reference) => string,
  read: (reference: Reference) => Promise<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const wanted = new Map(references.map((reference) => [idOf(reference), reference]));
  return new Map(
    await inLanes([...wanted], AT_ONCE, async ([id, reference]) => [id, await read(reference)] as const),
  );
}

/** Reads what the drivers ask for, and loads the template language where something will be rendered. */
export async function readForDrivers(store: Store, input: WorksInput): Promise<ReadForDrivers> {
  const { drivers = [] } = input;
  const wants = drivers.map((driver) => driver.wants(driverInput(input, driver)));
  const objects = await readAll<LiveReference, LiveObject>(
    wants.flatMap((one) => one.objects),
    liveId,
    (reference) => store.find(reference),
  );
  const labelled = await readAll<LabelledReference, Referred>(
    wants.flatMap((one) => one.labelled),
    searchId,
    async (reference) => referred(await store.listLabelled(reference), reference),
  );
  const live: Live = {
    object: (reference) => objects.get(liveId(reference)) ?? NOTHING_LIVE.object(reference),
    labelled: (reference) => labelled.get(searchId(reference)) ?? NOTHING_LIVE.labelled(reference),
  };
  const besides = [...labelled.values()].flatMap((one) => (one.state === 'read' ? one.objects : []));
  if (!wants.some(({ templates }) => templates)) return { live, besides };
  const { renderTemplate } = await import('#drivers/templates.ts');
  return { live, besides, render: renderTemplate };
}
