import type { ResourceType } from '#core/object/resource.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { type CreateBody, create, listAll, patchMetadata, patchStatus } from '#test/cluster/world/api.ts';
import { type BeforeWrite, runHere, type Write } from '#test/cluster/world/command-line.ts';
import { daysAfter, SLOT } from '#test/cluster/world/times.ts';
import type { Account } from './accounts.ts';

/** A namespace in which one behaviour is tried. */
export interface Place {
  readonly server: ApiServer;
  readonly namespace: string;
  readonly administrator: Account;
}

/** Two nights that are over, and the one that the account ticks in. */
export const FIRST = SLOT;
export const SECOND = daysAfter(SLOT, 1);
export const THIRD = daysAfter(SLOT, 2);
export const FOURTH = daysAfter(SLOT, 3);

/** The tick of the minute after a slot. */
export function tickAfter(slot: Instant): Instant {
  return instant(slot + 10);
}

export const NOW = tickAfter(THIRD);

export async function createAll(
  { server }: Place,
  objects: readonly (readonly [ResourceType, CreateBody])[],
): Promise<void> {
  for (const [type, object] of objects) await create(server, type, object);
}

/** The flags of an account's command about this place. */
export function flagsOf({ namespace }: Place, { kubeconfig, config }: Account, now = NOW): readonly string[] {
  return ['--kubeconfig', kubeconfig, '--config', config, '--now', formatInstant(now), '-n', namespace];
}

/** A tick of the administrator over this place. */
export async function tickBefore(place: Place, now: Instant): Promise<void> {
  const { code, stdout, stderr } = await runHere(['reconcile', ...flagsOf(place, place.administrator, now)]);
  if (code !== 0) throw new Error(`the run-up: exit code ${code}\n${stdout}${stderr}`);
}

/** A tick of the administrator that starts what is due and ends before it writes any status. */
async function dyingTick(place: Place): Promise<void> {
  const died = new Error('died');
  const dies: BeforeWrite = ({ verb }) => {
    if (verb === 'apply') throw died;
  };
  await runHere(['reconcile', ...flagsOf(place, place.administrator)], dies).catch((error: unknown) => {
    if (error !== died) throw error;
  });
}

/** All runs of a type here end as their operator tells it. */
export async function endRuns(
  { server, namespace }: Place,
  type: ResourceType,
  status: (run: { readonly name: string }) => Parameters<typeof patchStatus>[2] | undefined,
): Promise<void> {
  for (const { metadata } of await listAll(server, type, namespace)) {
    const name = metadata?.name ?? '';
    const told = status({ name });
    if (told !== undefined) await patchStatus(server, { type, namespace, name }, told);
  }
}

function once(isMoment: (write: Write) => boolean, act: (write: Write) => Promise<void>): BeforeWrite {
  let done = false;
  return async (write) => {
    if (done || !isMoment(write)) return;
    done = true;
    await act(write);
  };
}

/** Another tick starts the run first, and dies. */
export function startedMeanwhile(place: Place): BeforeWrite {
  return once(
    ({ verb, key }) => verb === 'create' && key.namespace === place.namespace,
    () => dyingTick(place),
  );
}

/** Somebody puts a label on an object of this type just before it is written to. */
export function editedMeanwhile(
  { server, namespace }: Place,
  verb: Write['verb'],
  type: ResourceType,
): BeforeWrite {
  return once(
    (write) => write.verb === verb && write.key.kind === type.kind && write.key.namespace === namespace,
    async ({ key: { name } }) => {
      await patchMetadata(server, { type, namespace, name }, { labels: { edited: 'yes' } });
    },
  );
}

export function at(slot: Instant): string {
  return formatInstant(slot);
}

/** As names of Snapshots have it. */
export function stamp(slot: Instant): string {
  return formatInstant(slot).replace(/\D/g, '');
}
