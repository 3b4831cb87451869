import { issueFinding } from '#api/issue-finding.ts';
import { checkJobSpec } from '#api/job-template.ts';
import { JOB } from '#api/resources.ts';
import type { Finding } from '#core/kind.ts';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';

/** The rules of the API for a Job on creation (job.md 2.2), whoever carries it out. */
export function checkJob(object: KubeObject): readonly Finding[] {
  if (typeId(keyOf(object)) !== typeId(JOB)) return [];
  const { name, uid } = object.metadata;
  const context = { jobName: name, ...(uid === undefined ? {} : { uid }) };
  return checkJobSpec(object.spec, ['spec'], context).map(issueFinding);
}
