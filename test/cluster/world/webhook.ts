import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { ResourceType } from '#core/object/resource.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { must } from './api.ts';
import { type Obstacle, type Probe, untilAccepted, untilRefused } from './obstacles.ts';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

export interface WebhookRefusal {
  readonly namespace: string;
  readonly type: ResourceType;
  readonly message: string;
  readonly probe: Probe;
}

interface Review {
  readonly request: { readonly uid: string };
}

/** A webhook that refuses creates with 422 and a message alone, as many do: no reason, no causes. */
async function serve(server: ApiServer, message: string) {
  const folder = join(server.folder, 'certificates');
  // The server trusts what it made for itself, and so may be asked to trust us.
  const key = await readFile(join(folder, 'apiserver.key'));
  const cert = await readFile(join(folder, 'apiserver.crt'));
  const webhook = createServer({ key, cert }, (asked, reply) => {
    const parts: Buffer[] = [];
    asked.on('data', (part: Buffer) => parts.push(part));
    asked.on('end', () => {
      const { request } = JSON.parse(Buffer.concat(parts).toString()) as Review;
      const response = { uid: request.uid, allowed: false, status: { code: 422, message } };
      reply.setHeader('content-type', 'application/json');
      reply.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }));
    });
  });
  webhook.listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  return webhook;
}

export async function refuseByWebhook(server: ApiServer, refusal: WebhookRefusal): Promise<Obstacle> {
  const { namespace, type, message, probe } = refusal;
  const webhook = await serve(server, message);
  const address = webhook.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  const name = `${namespace}.minutehand.test`;
  const rule = {
    apiGroups: [type.group],
    apiVersions: [type.version],
    operations: ['CREATE'],
    resources: [type.plural],
  };
  const clientConfig = {
    url: `https://127.0.0.1:${address.port}/`,
    caBundle: Buffer.from(server.ca).toString('base64'),
  };
  const one = {
    name,
    clientConfig,
    rules: [rule],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
  };
  await must(server, 'POST', CONFIGURATIONS, { metadata: { name }, webhooks: [one] });
  await untilRefused(server, probe, message);
  return {
    remove: async () => {
      await must(server, 'DELETE', `${CONFIGURATIONS}/${name}`);
      await untilAccepted(server, probe);
      webhook.closeAllConnections();
      webhook.close();
    },
  };
}
