import { checkContainers } from '#api/container.ts';
import {
  checkPresent,
  type FieldCheck,
  isAbsent,
  type ObjectField,
  readItem,
  readList,
  readObject,
  readStruct,
  report,
  rootObject,
} from '#api/field.ts';
import type { Issue } from '#api/issue.ts';
import { checkAnnotations, checkLabels, dnsLabelProblem } from '#api/metadata.ts';
import {
  readBoolean,
  readCount,
  readInteger,
  readRequiredText,
  readText,
  readTextMap,
} from '#api/read-scalar.ts';
import type { FieldPath, Json } from '#core/object/object.ts';

function checkDeadline(spec: ObjectField, key: string): void {
  const value = readInteger(spec, key, 64);
  if (value === undefined || (value >= 1 && value <= 2_147_483_647)) return;
  report(spec, [key], { kind: 'invalid', value, detail: 'must be between 1 and 2147483647, inclusive' });
}

function checkNodeSelector(spec: ObjectField, key: string): void {
  const labels = readTextMap(spec, key);
  if (labels !== undefined) checkLabels(labels);
}

function checkEphemeral(spec: ObjectField, key: string): void {
  const list = readList(spec, key);
  if (list === undefined || list.value.length === 0) return;
  report(list, [], { kind: 'forbidden', detail: 'ephemeral containers not allowed in pod template' });
}

const POD_FIELDS: ReadonlyMap<string, FieldCheck> = new Map<string, FieldCheck>([
  ['serviceAccountName', readText],
  ['priorityClassName', readText],
  ['runtimeClassName', readText],
  ['schedulerName', readText],
  ['nodeName', readText],
  ['hostname', readText],
  ['subdomain', readText],
  ['dnsPolicy', readText],
  ['automountServiceAccountToken', readBoolean],
  ['hostNetwork', readBoolean],
  ['hostPID', readBoolean],
  ['hostIPC', readBoolean],
  ['enableServiceLinks', readBoolean],
  ['shareProcessNamespace', readBoolean],
  ['affinity', readObject],
  ['securityContext', readObject],
  ['dnsConfig', readObject],
  ['tolerations', readList],
  ['imagePullSecrets', readList],
  ['hostAliases', readList],
  ['topologySpreadConstraints', readList],
  ['terminationGracePeriodSeconds', (spec, key) => readCount(spec, key, 64)],
  ['activeDeadlineSeconds', checkDeadline],
  ['nodeSelector', checkNodeSelector],
  ['ephemeralContainers', checkEphemeral],
]);

const NO_VOLUMES: ReadonlySet<string> = new Set();

/** The labels and annotations that a template gives to what is made from it. */
export function checkTemplateMetadata(template: ObjectField): void {
  const metadata = readObject(template, 'metadata');
  if (metadata === undefined) return;
  const labels = readTextMap(metadata, 'labels');
  if (labels !== undefined) checkLabels(labels);
  const annotations = readTextMap(metadata, 'annotations');
  if (annotations !== undefined) checkAnnotations(annotations);
}

function checkVolumes(spec: ObjectField): ReadonlySet<string> {
  const list = readList(spec, 'volumes');
  if (list === undefined) return NO_VOLUMES;
  const names = new Set<string>();
  for (let index = 0; index < list.value.length; index++) {
    const volume = readItem(list, index);
    const name = volume === undefined ? undefined : readRequiredText(volume, 'name');
    if (volume === undefined || name === undefined) continue;
    const problem = dnsLabelProblem(name);
    if (problem !== undefined) report(volume, ['name'], { kind: 'invalid', value: name, detail: problem });
    else if (names.has(name)) report(volume, ['name'], { kind: 'duplicate', value: name });
    names.add(name);
  }
  return names;
}

function checkAllContainers(spec: ObjectField): void {
  const volumes = checkVolumes(spec);
  const names = new Set<string>();
  const containers = readList(spec, 'containers');
  if (containers !== undefined) checkContainers(containers, names, volumes);
  if (containers?.value.length === 0 || isAbsent(spec, 'containers')) {
    report(spec, ['containers'], { kind: 'required' });
  }
  const initContainers = readList(spec, 'initContainers');
  if (initContainers !== undefined) checkContainers(initContainers, names, volumes);
}

/** As `checkPodTemplate`, inside an object that is being checked. @returns the pod spec, unless it is no object */
export function checkPodTemplateField(template: ObjectField): ObjectField | undefined {
  checkTemplateMetadata(template);
  const spec = readStruct(template, 'spec');
  if (spec === undefined) return undefined;
  checkAllContainers(spec);
  checkPresent(spec, POD_FIELDS);
  return spec;
}

/**
 * The rules of core/v1 PodTemplateSpec that a Job depends on. The restart policy is left to the owner's rules, and
 * unknown fields are no issue: a newer server may know them.
 */
export function checkPodTemplate(template: Json | undefined, path: FieldPath): Issue[] {
  const issues: Issue[] = [];
  const root = rootObject(template, { base: path, issues });
  if (root !== undefined) checkPodTemplateField(root);
  return issues;
}
