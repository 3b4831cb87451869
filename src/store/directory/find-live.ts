import type { SourcedObject } from '#core/object/object.ts';
import type { LabelledReference, LiveObject, LiveReference } from '#core/run/driver.ts';
import type { Listing } from '#store/port.ts';
import { getObject } from './find-object.ts';
import { unusableAt } from './incomplete.ts';
import { listKind } from './list-kind.ts';
import type { Session } from './session.ts';

/** One object of any kind. What is not found may be one that cannot be used, or lie in a file that cannot be read. */
export async function findLive(session: Session, reference: LiveReference): Promise<LiveObject> {
  const read = await getObject(session, reference);
  if (read.state === 'failed') return { state: 'failed', reason: read.message };
  // Folders of kinds are in lower case, the kinds of the API are not all one.
  if (read.state === 'found' && read.object.kind === reference.kind) return read;
  const spoiled = unusableAt(session, reference);
  if (spoiled !== undefined) return { state: 'failed', reason: spoiled };
  return session.complete
    ? { state: 'missing' }
    : { state: 'failed', reason: 'some manifests could not be read, and it may be among them' };
}

function hasLabels({ object }: SourcedObject, labels: LabelledReference['labels']): boolean {
  return Object.entries(labels).every(([name, value]) => object.metadata.labels?.[name] === value);
}

export async function listLabelled(
  session: Session,
  { type, namespace, labels }: LabelledReference,
): Promise<Listing> {
  const listing = await listKind(session, type);
  if (listing.state !== 'read') return listing;
  const isWanted = (source: SourcedObject): boolean =>
    (namespace === '' || source.object.metadata.namespace === namespace) && hasLabels(source, labels);
  return { ...listing, objects: listing.objects.filter(isWanted) };
}
