import type { Diagnostic } from '#core/diagnostic.ts';
import { nearestName } from '#core/nearest-name.ts';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import { apiVersionOf, groupOf, type ResourceType } from '#core/object/resource.ts';

/** `cronjob`, `CronJobs`, `cj`: some form of the kind's name, in the wrong letter case or number. */
function isFormOf(kind: string, { plural, singular, shortNames }: ResourceType): boolean {
  return [plural, singular, ...shortNames].includes(kind.toLowerCase());
}

/** In a group that is known, its kind of the nearest name. */
function kindMeant(kind: string, types: readonly ResourceType[]): ResourceType | undefined {
  const form = types.find((type) => isFormOf(kind, type));
  if (form !== undefined) return form;
  const nearest = nearestName(
    kind,
    types.map((type) => type.kind),
  );
  return types.find((type) => type.kind === nearest);
}

/**
 * Whether a group is a slip of the known one. A group without a dot is one of Kubernetes itself, since a custom
 * resource has to be in a domain; none of them has a second kind of a known name.
 */
function isSlipOf(group: string, known: string): boolean {
  if (!group.includes('.') || group === `${known}.k8s.io`) return true;
  return nearestName(group, [known]) !== undefined;
}

/** The known type that an object nearly is, or is in another version. */
export function typeMeant(
  kind: string,
  group: string,
  types: readonly ResourceType[],
): ResourceType | undefined {
  // The core group has dozens of kinds that are none of ours: nearly the same name says nothing there.
  const inGroup = group === '' ? [] : types.filter((type) => type.group === group);
  if (inGroup.length > 0) return kindMeant(kind, inGroup);
  return types.find((type) => isFormOf(kind, type) && isSlipOf(group, type.group));
}

/** An operator may serve its own kind in more versions than the one that is known here. */
function mayBeServed({ apiVersion, kind }: KubeObject, meant: ResourceType): boolean {
  return kind === meant.kind && groupOf(apiVersion) === meant.group && meant.group.includes('.');
}

/**
 * What nobody here knows and nearly is a known kind: a slip in the kind, the group or the version makes a schedule
 * vanish without a word. It is an error, since no server takes it, but where an operator may serve such a version. Kinds
 * of other groups are none of ours, whatever their names.
 */
export function unknownKind(
  { object, placeOf }: SourcedObject,
  types: readonly ResourceType[],
): Diagnostic | undefined {
  const { apiVersion, kind } = object;
  const meant = typeMeant(kind, groupOf(apiVersion), types);
  if (meant === undefined) return undefined;
  const right = apiVersionOf(meant);
  const wrong = [
    ...(apiVersion === right ? [] : [{ path: 'apiVersion', write: `apiVersion: ${right}` }]),
    ...(kind === meant.kind ? [] : [{ path: 'kind', write: `kind: ${meant.kind}` }]),
  ];
  const path = wrong.slice(-1).map((one) => one.path);
  if (path.length === 0) return undefined;
  const place = placeOf?.(path);
  return {
    code: 'UnknownKind',
    severity: mayBeServed(object, meant) ? 'warning' : 'error',
    object: keyOf(object),
    path,
    what: `${kind} of ${apiVersion} is not known to this build`,
    why: 'nothing is decided about it',
    fix: `write ${wrong.map(({ write }) => write).join(' and ')}`,
    ...(place === undefined ? {} : { place }),
  };
}
