import { type ObjectField, report, valueAt } from '#api/field.ts';
import { issueAt } from '#api/issue.ts';
import { byteLength, dnsLabelProblem } from '#api/metadata.ts';
import { plain } from '#api/shown-value.ts';
import type { Json, JsonObject } from '#core/object/object.ts';

/** Which Job it is, or will be; what is not known is not judged. */
export interface JobContext {
  /** It becomes a label of the Job's pods, and a part of the host names of an Indexed Job's. */
  readonly jobName?: string;
  /** How the name is told where a part of it is open yet: with a word in the place of that part. */
  readonly shownName?: string;
  /** Of a Job that a server holds. */
  readonly uid?: string;
}

const NAME_PATH = ['metadata', 'name'];
const TEMPLATE_LABELS = ['template', 'metadata', 'labels'];
const MAX_LABEL = 63;

/* The labels that the API server gives to a Job's pods and selects them by (job.md 2.15). */

export const NAME_LABELS = ['job-name', 'batch.kubernetes.io/job-name'];
const UID_LABELS = ['controller-uid', 'batch.kubernetes.io/controller-uid'];

/** Whether a label to select pods by is none that the API server would write for this Job. */
export function isOtherLabel(key: string, value: Json | undefined, { jobName, uid }: JobContext): boolean {
  if (NAME_LABELS.includes(key)) return jobName !== undefined && value !== jobName;
  if (UID_LABELS.includes(key)) return jobName !== undefined && value !== uid;
  return true;
}

/** Values other than those that the server would write are refused, not overwritten. */
function checkLabels(spec: ObjectField, shown: string, context: JobContext): void {
  const labels = valueAt(spec.value, TEMPLATE_LABELS);
  const uid = context.uid === undefined ? 'the uid of the Job' : `'${plain(context.uid)}'`;
  for (const key of [...NAME_LABELS, ...UID_LABELS]) {
    const value = valueAt(labels, [key]);
    if (typeof value !== 'string' || !isOtherLabel(key, value, context)) continue;
    const detail = `must be ${NAME_LABELS.includes(key) ? `'${plain(shown)}'` : uid}`;
    const fix = 'leave the label out; the API server writes it for each Job';
    report(spec, [...TEMPLATE_LABELS, key], { kind: 'invalid', detail, fix });
  }
}

/** What the host name of the last pod has behind the Job's name. */
function lastIndex(completions: number): string {
  return `-${completions - 1}`;
}

/** How many characters a Job's name leaves free for the host names of its pods. */
export function hostNameRoom({ completionMode, completions }: JsonObject): number {
  const isIndexed = completionMode === 'Indexed' && typeof completions === 'number' && completions > 0;
  return isIndexed ? lastIndex(completions).length : 0;
}

/**
 * What the API server refuses of a Job because of its name: it becomes a label of the pods, and those of an Indexed Job
 * get the host name JOB-INDEX.
 */
export function checkJobName(spec: ObjectField, completions: number | undefined, context: JobContext): void {
  const { jobName: name = '', shownName: shown = name } = context;
  if (name === '') return;
  // With a selector of its own, the pods are given no labels.
  if (spec.value.manualSelector !== true) {
    if (byteLength(name) > MAX_LABEL) {
      const detail = `must be no more than ${MAX_LABEL} bytes`;
      spec.check.issues.push(issueAt(NAME_PATH, { kind: 'invalid', value: shown, detail }));
    }
    checkLabels(spec, shown, context);
  }
  if (spec.value.completionMode !== 'Indexed' || completions === undefined || completions <= 0) return;
  const end = lastIndex(completions);
  if (dnsLabelProblem(`${name}${end}`) === undefined) return;
  const detail = `will not able to create pod with invalid DNS label: ${plain(`${shown}${end}`)}`;
  const fix = 'take a shorter name without dots, or fewer completions';
  spec.check.issues.push(issueAt(NAME_PATH, { kind: 'invalid', value: shown, detail, fix }));
}
