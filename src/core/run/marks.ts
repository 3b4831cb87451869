import { MANUAL_ANNOTATION, OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import type { KubeObject } from '#core/object/object.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

/** A run that is to be built. */
export interface NamedRun {
  readonly name: string;
  /** None where a person asks for it. */
  readonly slot: Instant | undefined;
}

/** The annotations by which a run is known again: for which slot it is, or that it has none, and whose (design.md 3.16). */
export function runMarks(
  { metadata }: KubeObject,
  slot: Instant | undefined,
): Readonly<Record<string, string>> {
  return {
    ...(slot === undefined ? { [MANUAL_ANNOTATION]: 'true' } : { [SLOT_ANNOTATION]: formatInstant(slot) }),
    [OWNER_UID_ANNOTATION]: metadata.uid ?? '',
  };
}
