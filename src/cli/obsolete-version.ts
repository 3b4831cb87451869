import type { Diagnostic } from '#core/diagnostic.ts';
import { keyOf } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { apiVersionOf, groupOf, type ResourceType, versionOf } from '#core/object/resource.ts';

const PRE_RELEASE = /^v\d+(alpha|beta)\d+$/;

/**
 * Objects of a known group and kind in a version from before its release, as old files have them. They are set aside:
 * the API server refuses them, so nothing may be started for them.
 */
export function obsoleteVersion(
  { object, placeOf }: SourcedObject,
  types: readonly ResourceType[],
): Diagnostic | undefined {
  const type = types.find(({ group, kind }) => kind === object.kind && group === groupOf(object.apiVersion));
  if (type === undefined) return undefined;
  if (PRE_RELEASE.test(type.version) || !PRE_RELEASE.test(versionOf(object.apiVersion))) return undefined;
  const path = ['apiVersion'];
  const place = placeOf?.(path);
  return {
    code: 'ObsoleteVersion',
    severity: 'note',
    object: keyOf(object),
    path,
    what: `${object.apiVersion} is no longer served; use ${apiVersionOf(type)}`,
    why: 'the API server refuses it, and nothing is decided about it',
    ...(place === undefined ? {} : { place }),
  };
}

/** A tick notes what it sets aside, and goes on; where manifests are judged, what no server takes is an error. */
export function withObsoleteAsErrors(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((one) => (one.code === 'ObsoleteVersion' ? { ...one, severity: 'error' } : one));
}
