import { checkContext } from '#cli/check-context.ts';
import { checkChange, checkObject } from '#cli/check-object.ts';
import type { Tick } from '#cli/tick.ts';
import type { ComparedSide } from '#core/comparison/lookup.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import { keyId } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { Driver } from '#core/run/driver.ts';
import { DRIVERS } from '#drivers/index.ts';
import type { DiffRequest } from './decide-side.ts';
import type { Touched } from './touched.ts';
import { idOf } from './world.ts';

type Request = Pick<DiffRequest, 'read' | 'now'>;

function identity({ code, object, path = [], what }: Diagnostic): string {
  return [code, object === undefined ? '' : keyId(object), path.join('.'), what].join('\n');
}

/**
 * What a tick says of an object gives way to what is found as if it were applied now: to a tick a name that it found
 * stored is no more than odd.
 */
function together(
  told: readonly Diagnostic[],
  found: readonly Diagnostic[],
  checked: readonly SourcedObject[],
): readonly Diagnostic[] {
  const ids = new Set(checked.map(idOf));
  const known = new Set(found.map(identity));
  const isSaid = (one: Diagnostic): boolean =>
    known.has(identity(one)) ||
    (one.code === 'InvalidMetadata' && one.object !== undefined && ids.has(keyId(one.object)));
  return [...told.filter((one) => !isSaid(one)), ...found];
}

/** Manifests are held to what the API says, whoever carries it out there. */
function judges({ read }: Pick<Request, 'read'>): readonly Driver[] {
  return DRIVERS.filter(({ id }) => read.config.modes[id] !== 'off');
}

/** What the API would not let become of objects that stand there. */
function changeFaults(touched: readonly Touched[], request: Request): readonly Diagnostic[] {
  const drivers = judges(request);
  return touched.flatMap(({ source, old }) =>
    old === undefined ? [] : checkChange(old, source, { drivers }),
  );
}

async function withFaultsOf(
  checked: readonly SourcedObject[],
  side: ComparedSide,
  { observed, settings, kinds }: Tick,
  { read, now }: Request,
): Promise<ComparedSide> {
  if (checked.length === 0) return side;
  const context = await checkContext({
    settings,
    kinds,
    drivers: judges({ read }),
    now,
    observed,
    objects: side.sources,
    checked,
  });
  const found = checked.flatMap((source) => checkObject(source, context));
  return { ...side, diagnostics: together(side.diagnostics, found, checked) };
}

/** Both sides with all that `validate` finds wrong with the objects that the change touches. */
export async function withFaults(
  [base, head]: readonly [ComparedSide, ComparedSide],
  [before, after]: readonly [Tick, Tick],
  touched: readonly Touched[],
  request: Request,
): Promise<readonly [ComparedSide, ComparedSide]> {
  const olds = touched.flatMap(({ old }) => old ?? []);
  const fresh = touched.map(({ source }) => source);
  const judged = await withFaultsOf(fresh, head, after, request);
  const diagnostics = [...judged.diagnostics, ...changeFaults(touched, request)];
  return [await withFaultsOf(olds, base, before, request), { ...judged, diagnostics }];
}
