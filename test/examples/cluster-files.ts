import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const CLUSTER = 'examples/cluster';

export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** The documents of a text; a fault in one of them is a fault of the test's input. */
export function documentsOf(text: string): readonly ClusterObject[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

/** Every file below a folder that ends so, from the root of the repository. */
export function filesBelow(folder: string, end: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(end) && statSync(path).isFile())
    .sort();
}

export function readDocuments(path: string): readonly ClusterObject[] {
  return documentsOf(readFileSync(path, 'utf8'));
}
