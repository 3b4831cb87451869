import type { ObjectKey } from '#core/object/object.ts';
import { sha256 } from './digest.ts';

/** File systems refuse longer names; `.json` and the digest of a shortened name fit into the rest. */
const MAX_NAME_BYTES = 240;
const KEPT_BYTES = 180;

/** The folder of tombstones. No API group starts with a dot, so it stands beside the groups. */
export const TOMBSTONES = '.deleted';
/** The folder of cluster-scoped objects. */
const NO_NAMESPACE = '_';
const CORE_GROUP = 'core';

function escapeCharacter(character: string): string {
  return [...Buffer.from(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

/**
 * Any text as one name of a file or folder: letters, digits, `.`, `_` and `-` as they are, the rest as the
 * hexadecimal digits of its bytes; no leading dot, never empty. Different texts give different names.
 */
function encodeSegment(text: string): string {
  if (text === '') return '%';
  const encoded = text.replace(/[^A-Za-z0-9._-]/gu, escapeCharacter).replace(/^\./, '%2E');
  if (encoded.length <= MAX_NAME_BYTES) return encoded;
  const digest = sha256(text).slice(0, 40);
  return `${encoded.slice(0, KEPT_BYTES)}~${digest}`;
}

/** Encodes a text that happens to be a word with a meaning of its own. */
function encodeBeside(reserved: string, text: string): string {
  return text === reserved ? escapeCharacter(text.charAt(0)) + text.slice(1) : encodeSegment(text);
}

/** The folder of a kind, relative to the state folder, with `/`. */
export function kindFolder(group: string, kind: string): string {
  const first = group === '' ? CORE_GROUP : encodeBeside(CORE_GROUP, group);
  return `${first}/${encodeSegment(kind.toLowerCase())}`;
}

/** The file of an object, relative to the state folder (design.md 5). */
export function objectPath(key: ObjectKey): string {
  const namespace = key.namespace === '' ? NO_NAMESPACE : encodeBeside(NO_NAMESPACE, key.namespace);
  return `${kindFolder(key.group, key.kind)}/${namespace}/${encodeSegment(key.name)}.json`;
}

/**
 * The namespace that a folder stands for, empty for the folder of cluster-scoped objects; undefined when its name does
 * not say, such as one that had to be shortened.
 */
export function namespaceOfFolder(folder: string): string | undefined {
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  if (name === NO_NAMESPACE) return '';
  const bytes = name.replace(/%[0-9A-F]{2}/g, (coded) =>
    String.fromCharCode(Number.parseInt(coded.slice(1), 16)),
  );
  const text = Buffer.from(bytes, 'latin1').toString();
  return encodeBeside(NO_NAMESPACE, text) === name ? text : undefined;
}

/** The file that says that an object was deleted although a manifest spells it out. */
export function tombstonePath(path: string): string {
  return `${TOMBSTONES}/${path}`;
}

/** The part of a relative path before its last slash. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Temporary names start with a dot, names of objects never do. */
export function isObjectFile(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.');
}

/** Whether a folder can be one of a group, kind or namespace; `lost+found` of a fresh volume, for one, cannot. */
export function isObjectFolder(name: string): boolean {
  return /^(?!\.)[A-Za-z0-9._%~-]+$/.test(name);
}

const TEMPORARY = /^\.(?:lock-[0-9a-f]{16}|[0-9a-f]{12}-\d+)\.tmp$/;

/** A name that only a write of this store makes, so that nobody else's file is ever taken for a leftover. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

/** The name of the temporary file of a write; the digest is the holder's, so that two processes never meet. */
export function temporaryName(digest: string, count: number): string {
  return `.${digest.slice(0, 12)}-${count}.tmp`;
}

export function temporaryLockName(digest: string): string {
  return `.lock-${digest.slice(0, 16)}.tmp`;
}
