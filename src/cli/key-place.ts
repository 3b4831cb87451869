import type { FieldPath, Place } from '#core/object/object.ts';

/** No manifest spells a key so. */
const NOWHERE = '\0';

/** Where the key of a field stands, not its value: what is missing below a field is placed at the field's key. */
export function keyPlace(placeOf: (path: FieldPath) => Place, path: FieldPath): Place {
  return placeOf([...path, NOWHERE]);
}
