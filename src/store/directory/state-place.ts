import type { FieldPath, KubeObject, Place } from '#core/object/object.ts';
import { jsonOffset } from './json-offset.ts';
import type { Session } from './session.ts';

/** The file of an object as the user knows it: below the folder as it was given to --state. */
export function shownFile(session: Session, path: string): string {
  return `${session.shown.replace(/(?<=.)\/+$/, '')}/${path}`;
}

/** A field of a state file. */
export function statePlace(file: string, text: string, path: FieldPath): Place {
  const at = jsonOffset(text, path);
  const before = text.slice(0, at);
  return { file, line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

/** What the manifest says also of an object that is recorded: `admit` takes these from Git. */
const DECLARED: ReadonlySet<string | number> = new Set(['name', 'namespace', 'labels', 'annotations']);

/** Whether a field of a recorded object that Git holds comes from the state folder. */
export function isRecordedField(recorded: KubeObject, [field, step]: FieldPath): boolean {
  if (field === 'status') return recorded.status !== undefined;
  if (field !== 'metadata' || step === undefined || DECLARED.has(step)) return false;
  return Object.hasOwn(recorded.metadata, step);
}
