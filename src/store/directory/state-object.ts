import { canonicalJson, isObject } from '#core/object/canonical.ts';
import { keyOf, keyText } from '#core/object/key.ts';
import type { Json, JsonObject, KubeObject, Metadata, ObjectKey } from '#core/object/object.ts';
import { parseJson } from '#core/object/parse-json.ts';
import type { Annotated } from './annotations.ts';
import { codeOf, explainFileError } from './file-error.ts';
import { objectPath } from './state-path.ts';

/** Whether Git holds the object, or only the state folder does. */
export type Origin = 'manifest' | 'store';

export interface StateRecord {
  readonly object: KubeObject;
  readonly origin: Origin;
  /** Only of an object that Git holds; of others every annotation was set here. */
  readonly annotated?: Annotated | undefined;
}

/** What the file of an object holds. */
export type Stored =
  | { readonly state: 'missing' }
  | { readonly state: 'stored'; readonly record: StateRecord; readonly text: string }
  /** With the code of the file system where the file could not be read; without one it is read and makes no sense. */
  | {
      readonly state: 'damaged';
      readonly reason: string;
      readonly code?: string;
      /** It was read as text, so that it has lines. */
      readonly isText?: boolean;
      /** The file that is meant where it is not that of the object: its tombstone. */
      readonly file?: string;
      /** The object that the file holds instead of its own. */
      readonly holds?: ObjectKey;
    };

/** In the file only: nobody who reads the object through the store sees these. */
const ORIGIN = 'minutehand.dev/origin';
/** What the manifest said of annotations that are not as it says, as JSON. */
const ANNOTATED = 'minutehand.dev/annotated-over';

/** Whether an annotation is a mark of the state folder, which would not be kept as anybody's own. */
export function isOwnMark(name: string): boolean {
  return name === ORIGIN || name === ANNOTATED;
}

function isTextMap(value: unknown): boolean {
  return (
    value === undefined || (isObject(value) && Object.values(value).every((item) => typeof item === 'string'))
  );
}

function isListOf(value: unknown, accepts: (item: Json) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every(accepts));
}

function isOwner(item: Json): boolean {
  if (!isObject(item)) return false;
  const flags = [item['controller'], item['blockOwnerDeletion']];
  return (
    ['apiVersion', 'kind', 'name', 'uid'].every((key) => typeof item[key] === 'string') &&
    flags.every((flag) => flag === undefined || typeof flag === 'boolean')
  );
}

function isOptional(value: unknown, type: 'string' | 'number'): boolean {
  return value === undefined || typeof value === type;
}

function isMetadata(value: unknown): value is Metadata {
  if (!isObject(value)) return false;
  const texts = [value.name, value.uid, value.resourceVersion];
  return (
    texts.every((text) => typeof text === 'string' && text !== '') &&
    [value.namespace, value.creationTimestamp, value.deletionTimestamp].every((text) =>
      isOptional(text, 'string'),
    ) &&
    isOptional(value.generation, 'number') &&
    isTextMap(value.labels) &&
    isTextMap(value.annotations) &&
    isListOf(value.ownerReferences, isOwner) &&
    isListOf(value.finalizers, (item) => typeof item === 'string') &&
    isListOf(value.managedFields, isObject)
  );
}

function isKubeObject(value: unknown): value is KubeObject {
  if (!isObject(value)) return false;
  return typeof value.apiVersion === 'string' && typeof value.kind === 'string' && isMetadata(value.metadata);
}

function withoutMarks(object: KubeObject): KubeObject {
  const { annotations, ...metadata } = object.metadata;
  const kept = Object.entries(annotations ?? {}).filter(([name]) => !isOwnMark(name));
  if (kept.length === 0) return { ...object, metadata };
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(kept) } };
}

function isAnnotated(value: unknown): value is Annotated {
  return isObject(value) && Object.values(value).every((then) => then === null || typeof then === 'string');
}

/** Never taken for nothing when it cannot be read: Git would silently win back what was set or removed here. */
function parseAnnotated(text: string | undefined): Annotated | undefined | 'unusable' {
  if (text === undefined) return undefined;
  const value = parseJson(text);
  return isAnnotated(value) ? value : 'unusable';
}

/** Reads the text of a state file that stands at a path; anything that is not the object of that path is damage. */
export function parseState(text: string, path: string): Stored {
  const value = parseJson(text);
  if (value === undefined) return { state: 'damaged', reason: 'it is not complete JSON', isText: true };
  if (!isKubeObject(value))
    return {
      state: 'damaged',
      reason: 'it is not an object of the Kubernetes API with uid and resourceVersion',
      isText: true,
    };
  const holds = keyOf(value);
  if (objectPath(holds) !== path)
    return {
      state: 'damaged',
      reason: `it holds ${keyText(holds)}, whose file is another`,
      isText: true,
      holds,
    };
  const object = withoutMarks(value);
  if (value.metadata.annotations?.[ORIGIN] !== 'manifest')
    return { state: 'stored', record: { object, origin: 'store' }, text };
  const annotated = parseAnnotated(value.metadata.annotations[ANNOTATED]);
  if (annotated === 'unusable')
    return { state: 'damaged', reason: `its annotation ${ANNOTATED} makes no sense`, isText: true };
  return { state: 'stored', record: { object, origin: 'manifest', annotated }, text };
}

/** Errors that say what is there, not that it cannot be read just now. */
const CONTENT_CODES: ReadonlySet<string> = new Set([
  'EILSEQ',
  'EISDIR',
  'EFTYPE',
  'ENXIO',
  'EFBIG',
  'ELOOP',
  'ENOLINK',
]);

/** What an error while reading a state file says about it. An error that is not of the file system is thrown again. */
export function storedFromError(error: unknown): Stored {
  const code = codeOf(error);
  if (code === undefined) throw error;
  if (code === 'ENOENT') return { state: 'missing' };
  const reason = explainFileError(code).cause;
  return CONTENT_CODES.has(code) ? { state: 'damaged', reason } : { state: 'damaged', reason, code };
}

/**
 * The part of an object that the state folder keeps. Of an object that Git holds that is what a cluster's API
 * would add or compare; other members, such as the data of a Secret, stay in Git alone.
 */
function keptPart(record: StateRecord): JsonObject | KubeObject {
  const object = withoutMarks(record.object);
  if (record.origin === 'store') return object;
  const { apiVersion, kind, metadata, spec, status } = object;
  const annotations = {
    ...metadata.annotations,
    [ORIGIN]: 'manifest',
    ...(record.annotated === undefined ? {} : { [ANNOTATED]: canonicalJson(record.annotated) }),
  };
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, annotations },
    ...(spec === undefined ? {} : { spec }),
    ...(status === undefined ? {} : { status }),
  };
}

/** The bytes of a state file: sorted keys and a final newline, so that equal objects are equal files. */
export function stateText(record: StateRecord): string {
  return `${canonicalJson(keptPart(record), 2)}\n`;
}
