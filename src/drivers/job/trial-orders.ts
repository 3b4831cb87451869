import { BackupSpec } from '#api/backups/backup.ts';
import { resolveBackupClass } from '#api/backups/backup-class.ts';
import { type Application, applicationOf, TypedReference } from '#api/backups/reference.ts';
import { BACKUP, BACKUP_CLASS, BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import { RestoreJobSpec } from '#api/backups/restore-job.ts';
import { targetOf } from '#api/backups/restore-target.ts';
import { lookUpType } from '#core/absent-referent.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyOf, keyText } from '#core/object/key.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { Json, JsonObject, KubeObject, SourcedObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import type { FollowInput } from '#core/run/driver.ts';
import { parametersIn } from './backup.ts';
import { type ContextSource, templateContext } from './context.ts';
import { BACKUP_ORDER, type OrderSort, orderOf, RESTORE_ORDER } from './order.ts';
import { JOB_BACKUP_STRATEGY, JOB_DRIVER_GROUP } from './resources.ts';

/** An order that would use a strategy, as its templates see it. */
export interface TrialOrder {
  readonly mode: 'backup' | 'restore';
  /** For people. */
  readonly text: string;
  readonly context: JsonObject;
}

/** More of the same tell nothing new. */
const MAX_ORDERS = 50;

interface Parts extends Omit<ContextSource, 'application'> {
  readonly application: Application;
}

function findApplication(
  { apiGroup: group, kind, name }: Application,
  namespace: string,
  { referents }: FollowInput,
): KubeObject | undefined {
  const found = referents.find(lookUpType({ group, kind }), namespace, name);
  return found.state === 'found' ? found.object : undefined;
}

/** @returns undefined where the application is not among the manifests */
function trialOrder(
  source: SourcedObject,
  sort: OrderSort,
  parts: Parts,
  input: FollowInput,
): TrialOrder | undefined {
  const { object } = source;
  const application = findApplication(parts.application, object.metadata.namespace ?? '', input);
  if (application === undefined) return undefined;
  const order = orderOf(sort, source, input);
  return {
    mode: sort.mode,
    text: keyText(keyOf(object)),
    context: templateContext(order, { ...parts, application }),
  };
}

function isOurs({ apiGroup, kind, name }: TypedReference, strategy: KubeObject): boolean {
  return (
    apiGroup === JOB_DRIVER_GROUP && kind === JOB_BACKUP_STRATEGY.kind && name === strategy.metadata.name
  );
}

/** What a Plan or a BackupJob says of what is backed up. */
function askedOf(spec: Json): { readonly application: Application; readonly className: string } | undefined {
  if (!isObject(spec)) return undefined;
  const reference = TypedReference.safeParse(spec['applicationRef']);
  const className = spec['backupClassName'];
  if (!reference.success || typeof className !== 'string') return undefined;
  return { application: applicationOf(reference.data), className };
}

/** Of a Plan, the order that it would make; a restore of it too, where the strategy has templates of its own for that. */
function ordersOfBackup(
  source: SourcedObject,
  strategy: KubeObject,
  input: FollowInput,
): readonly (TrialOrder | undefined)[] {
  const asked = askedOf(withoutNulls(source.object.spec ?? {}));
  if (asked === undefined) return [];
  const { application, className } = asked;
  const resolution = resolveBackupClass(input.referents.find(BACKUP_CLASS, '', className), application);
  if (resolution.state !== 'matched' || !isOurs(resolution.strategyRef, strategy)) return [];
  const { parameters } = resolution;
  const backup = trialOrder(source, BACKUP_ORDER, { application, parameters, backup: undefined }, input);
  if (!isObject(strategy.spec) || !isObject(strategy.spec['restoreTemplate'])) return [backup];
  const { name, namespace = '' } = source.object.metadata;
  const from = { name, namespace, application };
  return [backup, trialOrder(source, RESTORE_ORDER, { application, parameters, backup: from }, input)];
}

function ordersOfRestore(
  source: SourcedObject,
  strategy: KubeObject,
  input: FollowInput,
): readonly (TrialOrder | undefined)[] {
  const order = RestoreJobSpec.safeParse(withoutNulls(source.object.spec ?? {}));
  if (!order.success) return [];
  const { namespace = '' } = source.object.metadata;
  const { name } = order.data.backupRef;
  const found = input.referents.find(BACKUP, namespace, name);
  const backup =
    found.state === 'found' ? BackupSpec.safeParse(withoutNulls(found.object.spec ?? {})) : undefined;
  if (backup?.success !== true || !isOurs(backup.data.strategyRef, strategy)) return [];
  const { applicationRef, driverMetadata = {} } = backup.data;
  const application = applicationOf(applicationRef);
  const parts = {
    application: targetOf(applicationRef, order.data.targetApplicationRef),
    parameters: parametersIn(driverMetadata),
    backup: { name, namespace, application },
  };
  return [trialOrder(source, RESTORE_ORDER, parts, input)];
}

/** The Plans and orders among the manifests that lead to a strategy, each with an application that is there too. */
export function trialOrders(strategy: KubeObject, input: FollowInput): readonly TrialOrder[] {
  const apiVersion = apiVersionOf(BACKUP_JOB);
  const found = input.objects
    .filter(({ object }) => object.apiVersion === apiVersion)
    .flatMap((source) =>
      source.object.kind === RESTORE_JOB.kind
        ? ordersOfRestore(source, strategy, input)
        : ordersOfBackup(source, strategy, input),
    );
  return found.filter((order) => order !== undefined).slice(0, MAX_ORDERS);
}
