import * as z from 'zod/mini';
import type { BackupArtifact } from '#api/backups/backup.ts';
import { POD } from '#api/resources.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { parseJson } from '#core/object/parse-json.ts';
import type { LabelledReference } from '#core/run/driver.ts';
import type { Order } from './order.ts';
import { POD_JOB_LABEL } from './resources.ts';

/** What the kubelet keeps of a termination message. */
const MAX_MESSAGE = 4096;
const MAX_CHECKSUM = 256;

const SizeBytes = z.int().check(z.minimum(0));
const Checksum = z.string().check(z.minLength(1), z.maxLength(MAX_CHECKSUM));

/** The pods that the Job controller made for the Job of an order. */
export function podsOf({ namespace, jobName }: Order): LabelledReference {
  return { type: POD, namespace, labels: { [POD_JOB_LABEL]: jobName } };
}

/** Messages of containers that ended well, in the order of the pod. */
function messagesOf({ status }: KubeObject): readonly string[] {
  const containers: Json = isObject(status) ? (status.containerStatuses ?? []) : [];
  if (!Array.isArray(containers)) return [];
  return containers.flatMap((container: Json) => {
    const state = isObject(container) ? container.state : undefined;
    const terminated = isObject(state) ? state.terminated : undefined;
    const message = textMember(terminated, 'message') ?? '';
    return isObject(terminated) && terminated.exitCode === 0 && message !== '' ? [message] : [];
  });
}

/** What a message says of size and checksum; anything else in it is left alone. */
function measures(message: string): Omit<BackupArtifact, 'uri'> | undefined {
  const told = message.length > MAX_MESSAGE ? undefined : parseJson(message);
  if (!isObject(told)) return undefined;
  const size = SizeBytes.safeParse(told.sizeBytes);
  const checksum = Checksum.safeParse(told.checksum);
  if (!size.success && !checksum.success) return undefined;
  return {
    ...(size.success ? { sizeBytes: size.data } : {}),
    ...(checksum.success ? { checksum: checksum.data } : {}),
  };
}

function isSucceeded({ status }: KubeObject): boolean {
  return textMember(isObject(status) ? status : undefined, 'phase') === 'Succeeded';
}

/** The first pod that succeeded and says so is believed; several are looked at in the order of their names. */
export function artifactOf(uri: string, pods: readonly KubeObject[], job: KubeObject): BackupArtifact {
  const own = pods.filter(
    (pod) =>
      isSucceeded(pod) && (pod.metadata.ownerReferences ?? []).some(({ uid }) => uid === job.metadata.uid),
  );
  const sorted = own.toSorted((a, b) => compareText(a.metadata.name, b.metadata.name));
  for (const pod of sorted) {
    for (const message of messagesOf(pod)) {
      const told = measures(message);
      if (told !== undefined) return { uri, ...told };
    }
  }
  return { uri };
}
