import type { JsonObject } from '#core/object/object.ts';
import { PIPED_IN } from '#core/object/piped-in.ts';
import { groupOf } from '#core/object/resource.ts';
import type { Fault } from '#source/text/problem.ts';
import { textOf } from './object-key.ts';

/** A file that tells kustomize what to build; with or without the type, which kustomize lets be left out. */
export function isKustomization(value: JsonObject, file: string): boolean {
  const apiVersion = textOf(value['apiVersion']);
  if (apiVersion !== undefined) return groupOf(apiVersion) === 'kustomize.config.k8s.io';
  return value['kind'] === undefined && /(?:^|\/)kustomization\.ya?ml$|(?:^|\/)Kustomization$/.test(file);
}

export const kustomization: Fault = {
  code: 'NotAnObject',
  what: 'a file for kustomize, skipped',
  why: 'it is not an object of the API but says how to build some',
  fix: `to read what it builds, build it first: \`kustomize build FOLDER ${PIPED_IN}\``,
};
