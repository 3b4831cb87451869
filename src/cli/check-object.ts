import { valueAt } from '#api/field.ts';
import { pathText } from '#api/issue.ts';
import { metadataFindings } from '#api/metadata-findings.ts';
import { compileSchedule } from '#core/decide.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { Decision, Finding, Opened, ScheduleKind, Settings } from '#core/kind.ts';
import { nearestName } from '#core/nearest-name.ts';
import { isObject } from '#core/object/canonical.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { groupOf, isOfType } from '#core/object/resource.ts';
import { type Observed, typeId } from '#core/observed.ts';
import { openSchedule } from '#core/open-schedule.ts';
import { diagnosticOf } from '#core/reconcile.ts';
import type { Referents } from '#core/referents.ts';
import type { Driver, FollowInput } from '#core/run/driver.ts';
import type { ExtendedDays } from '#core/slot/extended-days.ts';
import { neverFires } from '#core/slot/search.ts';
import type { Instant } from '#core/time/instant.ts';
import { timingFindings } from '#core/timing-findings.ts';
import { typesOf } from '#core/types-of.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { keyPlace } from './key-place.ts';

export interface CheckContext {
  readonly kinds: readonly ScheduleKind[];
  readonly drivers: readonly Driver[];
  readonly settings: Settings;
  readonly now: Instant;
  readonly extend: ExtendedDays | undefined;
  readonly referents: Referents;
  readonly observed: Observed;
  readonly objects: readonly SourcedObject[];
  /** The template language; absent where nothing among the objects needs it. */
  readonly templates: Pick<FollowInput, 'render' | 'syntaxProblem'> | undefined;
}

/** Whether a kind is off or not. */
const TYPES = typesOf(KINDS, DRIVERS);

/** Names of this group are path segments: `system:node` is fine there. */
const FREE_NAMES = 'rbac.authorization.k8s.io';

function ownMetadataFindings({ object }: SourcedObject): Finding[] {
  const type = TYPES.find((one) => isOfType(object, one));
  const found = metadataFindings(object.metadata, { namespaced: type?.namespaced ?? true });
  return groupOf(object.apiVersion) === FREE_NAMES ? found.filter(({ path }) => path[1] !== 'name') : found;
}

function unknownFields(
  { object }: SourcedObject,
  { knownFields }: Pick<ScheduleKind, 'knownFields'>,
): Finding[] {
  return Object.entries(knownFields).flatMap(([holder, known]) => {
    const path = holder.split('.');
    const value = valueAt(object.spec === undefined ? {} : { spec: object.spec }, path);
    const fields = isObject(value) ? Object.keys(value) : [];
    const unknown = fields.filter((field) => !known.includes(field));
    return unknown.map((field) => unknownField(object.kind, [...path, field], known));
  });
}

function unknownField(kind: string, path: readonly string[], known: readonly string[]): Finding {
  const nearest = nearestName(path.at(-1) ?? '', known);
  return {
    code: 'UnknownField',
    severity: 'warning',
    path,
    what: `${pathText(path)} is no field of ${kind}`,
    why: 'the API server drops it, so it has no effect',
    ...(nearest === undefined ? {} : { fix: `write ${nearest}` }),
  };
}

/** Whether the timing can be used, asked also where a tick would not look: while suspended, or beside other faults. */
function timingProblems(opened: Opened, extend: ExtendedDays | undefined): readonly Finding[] {
  const timing = opened.state === 'open' ? opened.schedule.timing : opened.timing;
  if (timing === undefined) return [];
  const compiled = compileSchedule({ timing }, extend);
  if (!compiled.ok) {
    const problem = timingFindings({ timing }, { state: 'badTiming', problem: compiled.problem });
    // The zone is looked at first; the expression may be wrong as well.
    const again =
      compiled.problem.code === 'UnknownTimeZone' && timing.zonePath !== timing.expressionPath
        ? compileSchedule({ timing: { ...timing, zone: 'UTC' } }, extend)
        : undefined;
    if (again === undefined || again.ok) return problem;
    return [...problem, ...timingFindings({ timing }, { state: 'badTiming', problem: again.problem })];
  }
  const decision: Decision = neverFires(compiled.timing)
    ? { state: 'never', timing: compiled.timing }
    : { state: 'waiting', timing: compiled.timing, next: undefined };
  return timingFindings({ timing }, decision);
}

function kindFindings(source: SourcedObject, kind: ScheduleKind, context: CheckContext): readonly Finding[] {
  const opened = openSchedule(kind, source, context);
  const found = opened.state === 'open' ? opened.schedule.findings : opened.findings;
  // What the rules of all metadata say of the name is said with more weight, and once.
  const own = found.filter(({ code }) => code !== 'InvalidMetadata');
  const absent = opened.state === 'open' ? opened.schedule.absent() : [];
  return [...own, ...absent, ...timingProblems(opened, context.extend), ...unknownFields(source, kind)];
}

/** Of an object that schedules point to. */
function referentFindings(source: SourcedObject, { kinds }: CheckContext): readonly Finding[] {
  const { object } = source;
  const referent = kinds
    .flatMap(({ referents }) => referents)
    .find(({ resource }) => isOfType(object, resource));
  return referent === undefined ? [] : [...referent.check(object), ...unknownFields(source, referent)];
}

/** Of an object of a driver: an order, or what orders point to. */
function driverFindings(source: SourcedObject, context: CheckContext): readonly Finding[] {
  const { object } = source;
  const { drivers, templates, ...rest } = context;
  return drivers.flatMap((driver) => {
    const type = [...driver.orders, ...driver.types].find((one) => isOfType(object, one));
    if (type === undefined) return [];
    const knownFields = driver.knownFields[typeId(type)] ?? {};
    return [
      ...driver.check(object),
      ...(templates === undefined ? [] : driver.follow(object, { ...rest, ...templates })),
      ...unknownFields(source, { knownFields }),
    ];
  });
}

/** Whether drivers look at something among the objects. */
export function concernsDrivers(sources: readonly SourcedObject[], drivers: readonly Driver[]): boolean {
  const types = drivers.flatMap(({ orders, types: others }) => [...orders, ...others]);
  return sources.some(({ object }) => types.some((type) => isOfType(object, type)));
}

export function kindOf({ object }: SourcedObject, kinds: readonly ScheduleKind[]): ScheduleKind | undefined {
  return kinds.find(({ resource }) => isOfType(object, resource));
}

/** What is wrong with an unknown field is its name, not its value. */
function located(source: SourcedObject, finding: Finding): Diagnostic {
  const diagnostic = diagnosticOf(source, finding);
  if (finding.code !== 'UnknownField' || source.placeOf === undefined) return diagnostic;
  return { ...diagnostic, place: keyPlace(source.placeOf, finding.path) };
}

/** What the API would not let become of an object of a driver. */
export function checkChange(
  old: SourcedObject,
  source: SourcedObject,
  { drivers }: Pick<CheckContext, 'drivers'>,
): readonly Diagnostic[] {
  const { object } = source;
  const concerned = drivers.filter(({ orders, types }) =>
    [...orders, ...types].some((type) => isOfType(object, type)),
  );
  const found = concerned.flatMap((driver) => driver.checkChange(old.object, object));
  return found.map((finding) => located(source, finding));
}

/** Every offline rule that holds for an object: those of all metadata, and those of its kind if it is known. */
export function checkObject(source: SourcedObject, context: CheckContext): readonly Diagnostic[] {
  const kind = kindOf(source, context.kinds);
  const own =
    kind === undefined
      ? [...referentFindings(source, context), ...driverFindings(source, context)]
      : kindFindings(source, kind, context);
  return [...ownMetadataFindings(source), ...own].map((finding) => located(source, finding));
}
