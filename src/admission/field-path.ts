import type { FieldPath } from '#core/object/object.ts';

/** Reads the `fieldPath` of a rule: `.spec['a.b'].c`; what cannot be read is the object itself. */
export function readFieldPath(text: string): FieldPath {
  const path: string[] = [];
  const part = /\.([A-Za-z_$][\w$-]*)|\['((?:[^'\\]|\\.)*)'\]/y;
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (match === null) return [];
    path.push(match[1] ?? (match[2] ?? '').replaceAll(/\\(.)/g, '$1'));
  }
  return path;
}
