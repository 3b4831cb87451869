import type { FieldPath, Place } from '#core/object/object.ts';
import { jsonOffset } from './json-offset.ts';
import type { Session } from './session.ts';
import type { StateRecord } from './state-object.ts';

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

/** What the manifest says also of an object that is recorded: `admit` takes these from Git, and most annotations. */
const DECLARED: ReadonlySet<string | number> = new Set(['name', 'namespace', 'labels']);

/** Whether a field of a recorded object that Git holds comes from the state folder. */
export function isRecordedField({ object, annotated }: StateRecord, [field, step, name]: FieldPath): boolean {
  if (field === 'status') return object.status !== undefined;
  if (field !== 'metadata' || step === undefined) return false;
  if (step === 'annotations') return name !== undefined && Object.hasOwn(annotated ?? {}, name);
  return !DECLARED.has(step) && Object.hasOwn(object.metadata, step);
}
