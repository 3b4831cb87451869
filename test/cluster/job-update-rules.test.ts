import { beforeAll, expect, test } from 'vitest';
import { checkJobUpdate } from '#api/job-update.ts';
import { meansTheSame } from '#api/meaning.ts';
import { JOB } from '#api/resources.ts';
import { applyOnto } from '#core/comparison/live-state.ts';
import type { KubeObject } from '#core/object/object.ts';
import { refusals } from '#drivers/managed-job/refusals.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import { issueLines } from '#test/api/issue-lines.ts';
import { jobWith, UPDATE_ROWS } from '#test/api/job-update-rows.ts';
import type { ApiServer } from './support/api-server.ts';
import { refusalWords } from './support/refusal-words.ts';
import { type Answer, request } from './support/request.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';

describeOnServer('what the API says of a change of a Job, diff says offline', () => {
  let server: ApiServer;

  beforeAll(async () => {
    server = await sharedServer();
  });

  function apply(body: KubeObject, query = {}, subresource?: 'status'): Promise<Answer> {
    const { name } = body.metadata;
    const target = { namespace: 'default', name, ...(subresource === undefined ? {} : { subresource }) };
    const path = resourcePath(JOB, target, { fieldManager: 'author', ...query });
    return request(server, 'PATCH', path, { body, contentType: 'application/apply-patch+yaml' });
  }

  /** The Job as the server has it, with what a controller wrote. */
  async function stored(job: KubeObject, status: KubeObject['status']): Promise<KubeObject> {
    const created = await apply(job);
    expect(created.status).toBe(201);
    if (status === undefined) return created.body as unknown as KubeObject;
    const { spec: _spec, ...rest } = job;
    const written = await apply({ ...rest, status }, { fieldManager: 'controller' }, 'status');
    expect(written).toMatchObject({ status: 200, body: { status } });
    return written.body as unknown as KubeObject;
  }

  test.each(UPDATE_ROWS.map((row, index) => [row.what, index, row] as const))(
    '%s',
    async (_what, index, { old, fresh, says, status }) => {
      const name = `update-${index}`;
      const after = jobWith(fresh, name);
      const before = await stored(jobWith(old, name), status);
      const answer = await apply(after, { dryRun: 'All' });
      const rules = refusals(after).map(({ what }) => what);
      expect(new Set(refusalWords(answer))).toEqual(new Set([...says, ...rules]));
      expect(answer.status).toBe(says.length === 0 ? 200 : 422);
      // As where the cluster is the base: what it holds, with all that it adds, and the manifest applied to that.
      const judged = (manifest: KubeObject): readonly string[] =>
        issueLines(checkJobUpdate(before, applyOnto(before, manifest, meansTheSame)));
      expect(judged(after)).toEqual(says);
      expect(judged(jobWith(old, name))).toEqual([]);
    },
  );
});
