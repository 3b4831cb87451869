import { metadataFindings } from '#api/metadata-findings.ts';
import { JOB } from '#api/resources.ts';
import type { Finding } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import { checkJob } from './check.ts';

/** Why the API would not take the Job, in its words; none of a Job that it holds. */
export function refusals(job: KubeObject): readonly Finding[] {
  return [...metadataFindings(job.metadata, JOB), ...checkJob(job)];
}
