import { Agent, request } from 'node:https';
import type { JsonObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { buildRun, runName } from '#kinds/etcd-defrag-policy/build.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import { inLanes } from '#store/in-lanes.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { createNamespace, must } from '#test/cluster/world/api.ts';
import {
  type Definition,
  install,
  OUR_DEFINITIONS,
  readDefinitions,
} from '#test/cluster/world/definitions.ts';

const LANES = 48;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** A cluster in which every schedule has a history. */
export interface ScaleWorld {
  readonly schedules: number;
  readonly runsEach: number;
  readonly namespaces: number;
  /** How many of the schedules are due at `slot`, and as many an hour later; all others half a day later. */
  readonly due: number;
  readonly slot: Instant;
}

export function namespaceOf(index: number, { namespaces }: ScaleWorld): string {
  return `team-${index % namespaces}`;
}

function cronAt(at: number): string {
  return `${Math.floor((at % HOUR) / 60)} ${Math.floor((at % DAY) / HOUR)} * * *`;
}

/** Sends many requests of the administrator, and hears nothing but whether they succeed. */
function sender({ url, ca, adminToken }: ApiServer): {
  readonly post: (path: string, body: JsonObject | object) => Promise<{ readonly uid: string }>;
  readonly close: () => void;
} {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES, ca });
  const { hostname, port } = new URL(url);
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  return {
    close: () => agent.destroy(),
    post: (path, body) =>
      new Promise((resolve, reject) => {
        const out = request({ hostname, port, path, method: 'POST', agent, headers }, (reply) => {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            if (reply.statusCode === 201) resolve(JSON.parse(text).metadata);
            else reject(new Error(`POST ${path}: ${reply.statusCode} ${text}`));
          });
        });
        out.on('error', reject);
        out.end(JSON.stringify(body));
      }),
  };
}

function policyBody(index: number, world: ScaleWorld): JsonObject {
  const late = world.slot + 12 * HOUR + (index % 60) * 60;
  const at = index < world.due ? world.slot : index < 2 * world.due ? world.slot + HOUR : late;
  return {
    apiVersion: apiVersionOf(POLICY),
    kind: POLICY.kind,
    metadata: {
      name: `nightly-${index}`,
      namespace: namespaceOf(index, world),
      labels: { 'app.kubernetes.io/part-of': 'shop' },
    },
    spec: {
      clusterRef: { name: `etcd-${index}` },
      schedule: cronAt(at),
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: HOUR,
      historyLimit: world.runsEach,
      rule: { freeSpaceAbove: '200Mi', quotaUsageAbove: '80%', minReclaim: '32Mi' },
    },
  };
}

/** As it was on an earlier day, and over since. */
function runBody(index: number, age: number, uid: string, world: ScaleWorld): object {
  const policy = {
    ...policyBody(index, world),
    metadata: { name: `nightly-${index}`, namespace: namespaceOf(index, world), uid },
  };
  const slot = instant(world.slot - DAY * (age + 2));
  const name = runName(policy.metadata.name, slot);
  const run = buildRun(policy as unknown as Parameters<typeof buildRun>[0], `etcd-${index}`, { name, slot });
  const startedAt = formatInstant(instant(slot + 12));
  const completedAt = formatInstant(instant(slot + 97));
  return { ...run, status: { phase: 'Complete', startedAt, completedAt } };
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Without a status subresource a run can be created with the status that it has. */
function openStatus(definition: Definition): Definition {
  if (definition.metadata.name !== `${DEFRAG.plural}.${DEFRAG.group}`) return definition;
  const versions = definition.spec.versions.map((version) => ({ ...version, subresources: undefined }));
  return { ...definition, spec: { ...definition.spec, versions } };
}

/** Fills a server with schedules and finished runs. */
export async function populate(
  server: ApiServer,
  world: ScaleWorld,
  say: (line: string) => void,
): Promise<void> {
  const definitions = await readDefinitions(OUR_DEFINITIONS);
  await install(server, definitions.map(openStatus));
  for (let index = 0; index < world.namespaces; index++)
    await createNamespace(server, namespaceOf(index, world));
  const { post, close } = sender(server);
  const indexes = Array.from({ length: world.schedules }, (_, index) => index);
  let done = 0;
  await inLanes(indexes, LANES, async (index) => {
    const namespace = namespaceOf(index, world);
    const { uid } = await post(resourcePath(POLICY, { namespace }), policyBody(index, world));
    for (let age = 0; age < world.runsEach; age++)
      await post(resourcePath(DEFRAG, { namespace }), runBody(index, age, uid, world));
    done += 1;
    if (done % 1000 === 0) say(`${done} schedules with their runs are there`);
  });
  close();
  const whole = definitions.find((one) => one !== openStatus(one));
  if (whole === undefined) throw new Error('no definition of the runs');
  const { name } = whole.metadata;
  const patch = { spec: { versions: whole.spec.versions } };
  await must(server, 'PATCH', `${DEFINITIONS}/${name}`, patch, 'application/merge-patch+json');
}
