import { zodFindings } from '#api/zod-findings.ts';
import {
  CAPTURE_FORMAT,
  CAPTURE_KIND,
  type Capture,
  type CapturedList,
  type CapturedObject,
  type CapturedSearch,
} from '#core/capture/capture.ts';
import { type PlacesDocument, placesFrom, unreadablePlaces } from '#core/capture/places.ts';
import type { Diagnostic, DiagnosticCode } from '#core/diagnostic.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyId, keyOf, keyText } from '#core/object/key.ts';
import type { FieldPath, Json, JsonObject, KubeObject, Place, SourcedObject } from '#core/object/object.ts';
import { type Listing, typeId } from '#core/observed.ts';
import type { LiveObject } from '#core/run/driver.ts';
import { labelledId, liveId } from '#core/run/live-id.ts';
import { parseInstant } from '#core/time/instant.ts';
import { defaultLimits } from '#source/limits.ts';
import { readObject } from '#source/objects/read-object.ts';
import { parseData } from '#source/parse-data.ts';
import { CaptureFile, type ListingFile, type SourceFile } from './capture-schema.ts';
import { type Config, readConfigData } from './config.ts';

export type ReadCapture =
  | { readonly ok: true; readonly capture: Capture; readonly config: Config }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Of a file that somebody may have edited: what is wrong is collected, and then nothing of it is used. */
interface Reader {
  readonly placeOf: (path: FieldPath) => Place;
  readonly report: (path: FieldPath, what: string, more?: { code?: DiagnosticCode; fix?: string }) => void;
}

const MOST_TOLD = 20;
const MAKE_ONE = 'make one with `minutehand capture > capture.yaml`; manifests are given to -f';

/** A member of an owner reference that a store left out when it answered: an odd object, but no edited one. */
function isLeftOut(value: JsonObject, [root, list, ...path]: FieldPath): boolean {
  const metadata = isObject(value.metadata) ? value.metadata : {};
  if (root !== 'metadata' || list !== 'ownerReferences' || path.length !== 2) return false;
  const owners: Json = metadata.ownerReferences ?? [];
  const owner = Array.isArray(owners) ? owners[Number(path[0])] : undefined;
  return isObject(owner) && !Object.hasOwn(owner, String(path[1]));
}

function readKubeObject(value: JsonObject, path: FieldPath, reader: Reader): KubeObject | undefined {
  const reading = readObject(value);
  if ('object' in reading) return reading.object;
  const faults = reading.faults.filter((fault) => !isLeftOut(value, fault.path));
  for (const { code, what, fix, path: below } of faults)
    reader.report([...path, ...below], what, { code, ...(fix === undefined ? {} : { fix }) });
  // As stores do: what decides looks at an owner that is known by its uid alone.
  return faults.length === 0 ? (value as unknown as KubeObject) : undefined;
}

function readPlaces(
  places: PlacesDocument | undefined,
  path: FieldPath,
  reader: Reader,
): SourcedObject['placeOf'] {
  if (places === undefined) return undefined;
  for (const pointer of unreadablePlaces(places))
    reader.report([...path, 'places', 'fields', pointer], `the place of ${pointer} is no LINE:COLUMN`);
  return placesFrom(places);
}

function readSource(file: SourceFile, path: FieldPath, reader: Reader): readonly SourcedObject[] {
  const object = readKubeObject(file.object, [...path, 'object'], reader);
  const placeOf = readPlaces(file.places, path, reader);
  if (object === undefined) return [];
  return [
    {
      object,
      ...(placeOf === undefined ? {} : { placeOf }),
      ...(file.provisional === undefined ? {} : { provisional: true }),
      ...(file.assumedCreation === undefined ? {} : { assumedCreation: true }),
    },
  ];
}

/** Told at the second of them: the first may have been there before. */
function refuseTwins<T>(
  items: readonly T[],
  path: FieldPath,
  idOf: (item: T) => readonly [id: string, text: string],
  reader: Reader,
): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const [id, text] = idOf(item);
    if (seen.has(id)) {
      const fix = 'keep one of them: which one counts would depend on the order';
      reader.report([...path, index], `${text} is in the capture twice`, { code: 'DuplicateObject', fix });
    }
    seen.add(id);
  }
}

function refuseStrangers(
  objects: readonly SourcedObject[],
  { group, kind }: Pick<ListingFile, 'group' | 'kind'>,
  path: FieldPath,
  reader: Reader,
): void {
  for (const [index, { object }] of objects.entries()) {
    const key = keyOf(object);
    if (key.group === group && key.kind === kind) continue;
    reader.report([...path, index], `${keyText(key)} is in the list of another kind, ${kind}`);
  }
}

function readListing(file: ListingFile, path: FieldPath, reader: Reader): Listing {
  switch (file.state) {
    case 'absent':
      return { state: 'absent' };
    case 'unreadable': {
      const { reason, fault } = file;
      return { state: 'unreadable', reason, ...(fault === undefined ? {} : { fault }) };
    }
    case 'read': {
      const { incomplete, scope } = file;
      const objects = file.objects.flatMap((one, index) =>
        readSource(one, [...path, 'objects', index], reader),
      );
      const unreadable = file.unreadable?.flatMap((one, index) =>
        readSource(one, [...path, 'unreadable', index], reader).map((source) => ({
          source,
          reason: one.reason,
        })),
      );
      refuseStrangers(objects, file, [...path, 'objects'], reader);
      refuseTwins(objects, [...path, 'objects'], twinId, reader);
      return {
        state: 'read',
        objects,
        ...(incomplete === undefined ? {} : { incomplete: new Map(Object.entries(incomplete)) }),
        ...(scope === undefined
          ? {}
          : { scope: { namespaces: new Set(scope.namespaces), reason: scope.reason } }),
        ...(unreadable === undefined ? {} : { unreadable }),
      };
    }
  }
}

function twinId({ object }: SourcedObject): readonly [string, string] {
  const key = keyOf(object);
  return [keyId(key), keyText(key)];
}

function readAnswer(
  file: CaptureFile['found'][number],
  path: FieldPath,
  reader: Reader,
): LiveObject | undefined {
  switch (file.state) {
    case 'found': {
      const object = readKubeObject(file.object, [...path, 'object'], reader);
      return object === undefined ? undefined : { state: 'found', object };
    }
    case 'missing':
    case 'unserved':
      return { state: file.state };
    case 'failed':
      return { state: 'failed', reason: file.reason };
  }
}

function readFound(file: CaptureFile, reader: Reader): readonly CapturedObject[] {
  const found = file.found.flatMap((one, index) => {
    const { group, kind, namespace, name } = one;
    const answer = readAnswer(one, ['found', index], reader);
    return answer === undefined ? [] : [{ reference: { group, kind, namespace, name }, answer }];
  });
  const idOf = ({ reference }: CapturedObject) => [liveId(reference), keyText(reference)] as const;
  refuseTwins(found, ['found'], idOf, reader);
  return found;
}

function readLists(file: CaptureFile, reader: Reader): readonly CapturedList[] {
  const lists = file.lists.map((one, index): CapturedList => {
    const { group, kind } = one;
    return { group, kind, listing: readListing(one, ['lists', index], reader) };
  });
  const idOf = (one: CapturedList) => [typeId(one), `the list of ${one.kind}`] as const;
  refuseTwins(lists, ['lists'], idOf, reader);
  return lists;
}

function readSearches(file: CaptureFile, reader: Reader): readonly CapturedSearch[] {
  const searches = file.labelled.map((one, index): CapturedSearch => {
    const { group, kind, namespace, labels } = one;
    return { group, kind, namespace, labels, listing: readListing(one, ['labelled', index], reader) };
  });
  const idOf = (one: CapturedSearch) => [labelledId(one), `the search for ${one.kind}`] as const;
  refuseTwins(searches, ['labelled'], idOf, reader);
  return searches;
}

function readFile(file: CaptureFile, reader: Reader): Capture | undefined {
  const { program, origin, config, findings, failedReads } = file;
  const now = parseInstant(file.now);
  if (now === undefined) {
    const fix = 'write an RFC 3339 time such as 2026-11-29T03:00:00Z';
    reader.report(['now'], `now is ${JSON.stringify(file.now)}, which is no time`, { fix });
    return undefined;
  }
  const lists = readLists(file, reader);
  const found = readFound(file, reader);
  const labelled = readSearches(file, reader);
  return { program, now, origin, config, findings, failedReads, lists, found, labelled };
}

function noCapture(place: Place, why: string): Diagnostic {
  const what = `the file is no capture: ${why}`;
  return { code: 'InvalidCapture', severity: 'error', place, what, fix: MAKE_ONE };
}

/** Whether it is a capture at all, and one that this build reads. */
function headProblem(value: JsonObject, { placeOf }: Reader): Diagnostic | undefined {
  const { kind, formatVersion, program } = value;
  if (kind !== CAPTURE_KIND) {
    const why =
      typeof kind === 'string'
        ? `its kind is ${JSON.stringify(kind)}, and not ${CAPTURE_KIND}`
        : `it has no kind, which would be ${CAPTURE_KIND}`;
    return noCapture(placeOf(['kind']), why);
  }
  if (formatVersion === CAPTURE_FORMAT) return undefined;
  const place = placeOf(['formatVersion']);
  if (!Number.isSafeInteger(formatVersion) || Number(formatVersion) < CAPTURE_FORMAT) {
    const shown = formatVersion === undefined ? 'missing' : JSON.stringify(formatVersion);
    const what = `formatVersion is ${shown}, not ${CAPTURE_FORMAT}`;
    return { code: 'CaptureVersion', severity: 'error', place, what, fix: MAKE_ONE };
  }
  const by = typeof program === 'string' ? `, Minutehand ${program}` : '';
  return {
    code: 'CaptureVersion',
    severity: 'error',
    place,
    what: `the capture was made by a newer version${by}: its format is ${String(formatVersion)}, and this build reads ${CAPTURE_FORMAT}`,
    fix: 'use that version, or make the capture with this one',
  };
}

function invalid(diagnostics: readonly Diagnostic[]): ReadCapture {
  return { ok: false, diagnostics: diagnostics.slice(0, MOST_TOLD) };
}

/** A capture that was read as data: all of it can be used, or nothing is. */
function readCaptureData(value: JsonObject, placeOf: Reader['placeOf']): ReadCapture {
  const found: Diagnostic[] = [];
  const reader: Reader = {
    placeOf,
    report: (path, what, { code = 'InvalidCapture', fix } = {}) => {
      found.push({
        code,
        severity: 'error',
        place: placeOf(path),
        what,
        ...(fix === undefined ? {} : { fix }),
      });
    },
  };
  const head = headProblem(value, reader);
  if (head !== undefined) return invalid([head]);
  const parsed = CaptureFile.safeParse(value);
  if (!parsed.success) {
    for (const { path, what, fix } of zodFindings(parsed.error.issues, value, []))
      reader.report(path ?? [], what, fix === undefined ? {} : { fix });
    return invalid(found);
  }
  const capture = readFile(parsed.data, reader);
  const config = readConfigData(parsed.data.config, (path) => placeOf(['config', ...path]));
  if (!config.ok) found.push(...config.diagnostics);
  if (capture === undefined || !config.ok || found.length > 0) return invalid(found);
  return { ok: true, capture, config: config.config };
}

/** Reads a capture. Nothing throws: what is wrong with it has a line and a column. */
export function parseCapture(file: string, text: string): ReadCapture {
  if (text.length > defaultLimits.fileBytes) {
    const mebibytes = defaultLimits.fileBytes / 1024 / 1024;
    const what = `the capture holds more than ${mebibytes} MiB`;
    const fix = 'name fewer namespaces in the configuration, as `namespaces: [a, b]`';
    return invalid([
      { code: 'LimitExceeded', severity: 'error', place: { file, line: 1, column: 1 }, what, fix },
    ]);
  }
  const { value, placeOf, diagnostics } = parseData(file, text);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  // Of a broken capture every error counts; of any other file only that it is none.
  if (errors.length > 0 && !text.includes(CAPTURE_KIND))
    return invalid([noCapture(placeOf([]), `nothing in it says ${CAPTURE_KIND}`)]);
  if (errors.length > 0) return invalid(errors);
  if (isObject(value)) return readCaptureData(value, placeOf);
  return invalid([noCapture(placeOf([]), value === null ? 'it holds nothing' : 'it is no mapping')]);
}
