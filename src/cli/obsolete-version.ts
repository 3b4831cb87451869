import type { Diagnostic } from '#core/diagnostic.ts';
import { keyOf } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { apiVersionOf, groupOf, type ResourceType } from '#core/object/resource.ts';

const PRE_RELEASE = /\/v\d+(alpha|beta)\d+$/;

/**
 * Objects of a known group and kind in a version that is not the served one. They are set aside: the API server would
 * refuse them, so nothing may be started for them.
 */
export function obsoleteVersion(
  { object, placeOf }: SourcedObject,
  types: readonly ResourceType[],
): Diagnostic | undefined {
  const type = types.find(({ group, kind }) => kind === object.kind && group === groupOf(object.apiVersion));
  if (type === undefined) return undefined;
  const served = apiVersionOf(type);
  if (object.apiVersion === served) return undefined;
  const what = PRE_RELEASE.test(object.apiVersion)
    ? `${object.apiVersion} is no longer served; use ${served}`
    : `${object.apiVersion} is not known to this build; use ${served}`;
  const path = ['apiVersion'];
  const place = placeOf?.(path);
  return {
    code: 'ObsoleteVersion',
    severity: 'note',
    object: keyOf(object),
    path,
    what,
    ...(place === undefined ? {} : { place }),
  };
}
