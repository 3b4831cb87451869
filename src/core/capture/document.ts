import type { Diagnostic } from '#core/diagnostic.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import type { ListFault, Listing } from '#core/observed.ts';
import type { LiveObject } from '#core/run/driver.ts';
import { formatInstant } from '#core/time/instant.ts';
import { CAPTURE_FORMAT, CAPTURE_KIND, type Capture, type CapturedObject, type Origin } from './capture.ts';
import { type PlacesDocument, toPlacesDocument } from './places.ts';
import { newRedactor, type Redactor } from './redact.ts';
import { isSecret, trimLists, trimObject } from './trim.ts';

interface SourcedDocument {
  readonly object: KubeObject;
  readonly places?: PlacesDocument;
  readonly provisional?: true;
  readonly assumedCreation?: true;
  /** Why the rest of it is not known; of objects below `unreadable`. */
  readonly reason?: string;
}

/** Absent, unreadable and empty are three states here too. */
type ListingDocument =
  | {
      readonly state: 'read';
      readonly objects: readonly SourcedDocument[];
      readonly incomplete?: Readonly<Record<string, string>>;
      readonly scope?: { readonly namespaces: readonly string[]; readonly reason: string };
      readonly unreadable?: readonly SourcedDocument[];
    }
  | { readonly state: 'absent' }
  | Extract<Listing, { state: 'unreadable' }>;

/** The published form of a capture. */
export interface CaptureDocument {
  readonly kind: typeof CAPTURE_KIND;
  readonly formatVersion: typeof CAPTURE_FORMAT;
  readonly program: string;
  readonly now: string;
  readonly origin: Origin;
  readonly config: Capture['config'];
  readonly findings: Capture['findings'];
  readonly failedReads: boolean;
  readonly lists: readonly (ListingDocument & { readonly group: string; readonly kind: string })[];
  readonly found: readonly (LiveObject & CapturedObject['reference'])[];
  readonly labelled: readonly (ListingDocument & {
    readonly group: string;
    readonly kind: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
  })[];
}

function sourcedDocument(source: SourcedObject, redactor: Redactor): SourcedDocument {
  const { object, provisional, assumedCreation } = source;
  const places = toPlacesDocument(source);
  return {
    object: redactor.object(trimObject(object)),
    ...(places === undefined ? {} : { places }),
    ...(provisional === undefined ? {} : { provisional }),
    ...(assumedCreation === undefined ? {} : { assumedCreation }),
  };
}

function faultOf({ reason, server, fix, denied }: ListFault, text: Redactor['text']): ListFault {
  return {
    reason: text(reason),
    ...(server === undefined ? {} : { server: text(server) }),
    ...(fix === undefined ? {} : { fix: text(fix) }),
    ...(denied === undefined ? {} : { denied }),
  };
}

function listingDocument(listing: Listing, redactor: Redactor): ListingDocument {
  if (listing.state === 'absent') return listing;
  const { text } = redactor;
  if (listing.state === 'unreadable') {
    const { state, reason, fault } = listing;
    return { state, reason: text(reason), ...(fault === undefined ? {} : { fault: faultOf(fault, text) }) };
  }
  const { state, objects, incomplete, scope, unreadable } = listing;
  return {
    state,
    objects: objects.map((source) => sourcedDocument(source, redactor)),
    ...(incomplete === undefined
      ? {}
      : { incomplete: Object.fromEntries([...incomplete].map(([name, reason]) => [name, text(reason)])) }),
    ...(scope === undefined
      ? {}
      : { scope: { namespaces: [...scope.namespaces], reason: text(scope.reason) } }),
    ...(unreadable === undefined
      ? {}
      : {
          unreadable: unreadable.map(({ source, reason }) => ({
            ...sourcedDocument(source, redactor),
            reason: text(reason),
          })),
        }),
  };
}

function answerDocument(answer: LiveObject, redactor: Redactor): LiveObject {
  switch (answer.state) {
    case 'found':
      return isSecret(answer.object)
        ? { state: 'failed', reason: 'Secrets are in no capture' }
        : { state: 'found', object: redactor.object(trimObject(answer.object)) };
    case 'failed':
      return { state: 'failed', reason: redactor.text(answer.reason) };
    case 'missing':
    case 'unserved':
      return answer;
  }
}

function objectsOf(listing: Listing): readonly KubeObject[] {
  if (listing.state !== 'read') return [];
  return [...listing.objects, ...(listing.unreadable ?? []).map(({ source }) => source)].map(
    ({ object }) => object,
  );
}

export interface RedactedCapture {
  readonly document: CaptureDocument;
  /** How many different values were masked. */
  readonly masked: number;
}

/**
 * A capture as it is written: without what looks secret, and without what no decision looks at.
 * @param owners the types of objects that events are told about, by `typeId`
 */
export function toCaptureDocument(capture: Capture, owners: ReadonlySet<string>): RedactedCapture {
  const { program, now, origin, config, findings, failedReads, found, labelled } = capture;
  const lists = trimLists(capture.lists, owners);
  const redactor = newRedactor([
    ...[...lists, ...labelled].flatMap(({ listing }) => objectsOf(listing)),
    ...found.flatMap(({ answer }) => (answer.state === 'found' ? [answer.object] : [])),
  ]);
  const told = (diagnostics: readonly Diagnostic[]) => diagnostics.map(redactor.diagnostic);
  const document: CaptureDocument = {
    kind: CAPTURE_KIND,
    formatVersion: CAPTURE_FORMAT,
    program,
    now: formatInstant(now),
    origin,
    config,
    findings: { input: told(findings.input), store: told(findings.store) },
    failedReads,
    lists: lists.map(({ group, kind, listing }) => ({
      group,
      kind,
      ...listingDocument(listing, redactor),
    })),
    found: found.map(({ reference, answer }) => ({ ...reference, ...answerDocument(answer, redactor) })),
    labelled: labelled.map(({ group, kind, namespace, labels, listing }) => ({
      group,
      kind,
      namespace,
      labels,
      ...listingDocument(listing, redactor),
    })),
  };
  return { document, masked: redactor.count() };
}
