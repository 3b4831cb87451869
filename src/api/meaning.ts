import { isList, isObject } from '#api/field.ts';
import { parseQuantity, roundedUp } from '#api/quantity.ts';
import { sameValue } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';

/**
 * What the API server writes into fields of Jobs and pods that are left out, or takes for left out, by the field alone
 * or with the one around it.
 */
const SAID_ANYWAY: ReadonlyMap<string, readonly Json[]> = new Map<string, readonly Json[]>([
  ['dnsPolicy', ['ClusterFirst']],
  ['schedulerName', ['default-scheduler']],
  ['spec.terminationGracePeriodSeconds', [30]],
  ['terminationMessagePath', ['/dev/termination-log']],
  ['terminationMessagePolicy', ['File']],
  ['ports.protocol', ['TCP']],
  ['ports.hostPort', [0]],
  ['initialDelaySeconds', [0]],
  ['timeoutSeconds', [0, 1]],
  ['periodSeconds', [0, 10]],
  ['successThreshold', [0, 1]],
  ['failureThreshold', [0, 3]],
  ['httpGet.path', ['/']],
  ['httpGet.scheme', ['HTTP']],
  ['fieldRef.apiVersion', ['v1']],
  ['fileKeyRef.optional', [false]],
  ['defaultMode', [420]],
  ['serviceAccountToken.expirationSeconds', [3600]],
  ['volumeMode', ['Filesystem']],
  ['hostNetwork', [false]],
  ['hostPID', [false]],
  ['hostIPC', [false]],
  ['stdin', [false]],
  ['stdinOnce', [false]],
  ['tty', [false]],
  ['readOnly', [false]],
  // There alone it may be unset on the server, which tells that from false.
  ['csi.readOnly', []],
  ['partition', [0]],
  ['iscsiInterface', ['default']],
  ['chapAuthDiscovery', [false]],
  ['chapAuthSession', [false]],
  ['rbd.pool', ['rbd']],
  ['rbd.user', ['admin']],
  ['rbd.keyring', ['/etc/ceph/keyring']],
  ['scaleIO.storageMode', ['ThinProvisioned']],
  ['scaleIO.fsType', ['xfs']],
  ['scaleIO.sslEnabled', [false]],
  ['azureDisk.cachingMode', ['ReadWrite']],
  ['azureDisk.fsType', ['ext4']],
  ['azureDisk.kind', ['Shared']],
  ['onPodConditions.status', ['True']],
]);

/** What stands in these has names that users choose. */
const NAMED_BY_USERS: ReadonlySet<string> = new Set(['labels', 'annotations', 'matchLabels', 'nodeSelector']);

/**
 * Without members these are as good as left out, by the field alone or with the one around it: the server has no
 * difference for them or writes them itself. All other empty mappings are stored.
 */
const EMPTY_ANYWAY: ReadonlySet<string> = new Set([
  ...NAMED_BY_USERS,
  'metadata',
  'containers.resources',
  'initContainers.resources',
  'requests',
  'limits',
  'overhead',
  'spec.securityContext',
  'emptyDir',
  'flexVolume.options',
  'csi.volumeAttributes',
]);

const AMOUNTS: ReadonlySet<string> = new Set(['requests', 'limits', 'overhead', 'capacity']);

/** Of lists of amounts the server keeps thousandths. */
const SMALLEST_AMOUNT = -3;

/** Of a tag `latest`, or of none, an image is always pulled. */
function pullPolicyOf(image: string): string {
  const [name = '', digest] = image.split('@', 2);
  const tag = /:([^/:]+)$/.exec(name)?.[1] ?? (digest === undefined ? 'latest' : '');
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

/** An image volume without the policy that the server takes of its reference. */
function withoutPolicy(value: JsonObject): JsonObject {
  const { pullPolicy, ...rest } = value;
  const { reference } = rest;
  const usual = typeof reference === 'string' && reference !== '' ? pullPolicyOf(reference) : 'IfNotPresent';
  return pullPolicy === usual ? rest : value;
}

/** Fields whose default depends on the fields beside them. */
function withoutDependent(value: JsonObject, key: string): JsonObject {
  if (key === 'image') return withoutPolicy(value);
  const { imagePullPolicy, serviceAccount, ...rest } = value;
  const { image, serviceAccountName } = rest;
  const isPulledAnyway = typeof image === 'string' && imagePullPolicy === pullPolicyOf(image);
  return {
    ...rest,
    ...(imagePullPolicy === undefined || isPulledAnyway ? {} : { imagePullPolicy }),
    // The older name of the same field; the server writes both.
    ...(serviceAccount === undefined ? {} : { serviceAccountName: serviceAccountName ?? serviceAccount }),
  };
}

function isSaidAnyway(value: Json, key: string, around: string): boolean {
  const known = SAID_ANYWAY.get(`${around}.${key}`) ?? SAID_ANYWAY.get(key);
  return value === null || value === '' || known?.some((one) => one === value) === true;
}

function amountOf(value: Json, smallest?: number): Json {
  const read = parseQuantity(value);
  if (read === undefined) return value;
  const { sign, digits, exponent } = roundedUp(read, smallest);
  return `${sign}:${digits}e${exponent}`;
}

/** A divisor of zero is none; a limit of zero is one. */
function scalarOf(value: Json, key: string): Json | undefined {
  if (key === 'divisor') return parseQuantity(value)?.sign === 0 ? undefined : amountOf(value);
  return key === 'sizeLimit' ? amountOf(value) : value;
}

function membersOf(value: JsonObject, key: string): JsonObject {
  const members: Record<string, Json> = {};
  for (const [name, member] of Object.entries(withoutDependent(value, key))) {
    const said = AMOUNTS.has(key) ? amountOf(member, SMALLEST_AMOUNT) : meaningOf(member, name, key);
    if (said !== undefined) members[name] = said;
  }
  return members;
}

/**
 * A value of a Job or pod without what a server takes it to say anyway, so that two values mean the same if they look
 * the same: defaults, `null`, and what is empty and says nothing.
 * @param key the field that it stands in
 * @param around the field around that one; lists do not count
 */
export function meaningOf(value: Json | undefined, key = '', around = ''): Json | undefined {
  if (value === undefined || isSaidAnyway(value, key, around)) return undefined;
  if (isList(value)) {
    if (value.length === 0) return undefined;
    // What is said of an item of a list is never left out: the others would move up.
    return value.map((item) => (isObject(item) ? membersOf(item, key) : item));
  }
  if (!isObject(value)) return scalarOf(value, key);
  const said = NAMED_BY_USERS.has(key) ? value : membersOf(value, key);
  const isEmpty = Object.keys(said).length === 0;
  return isEmpty && (EMPTY_ANYWAY.has(key) || EMPTY_ANYWAY.has(`${around}.${key}`)) ? undefined : said;
}

export function meansTheSame(key: string, one: Json, other: Json): boolean {
  return sameValue(meaningOf(one, key), meaningOf(other, key));
}
