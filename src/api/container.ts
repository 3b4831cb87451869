import {
  checkPresent,
  type FieldCheck,
  type ListField,
  type ObjectField,
  readItem,
  readList,
  readObject,
  report,
} from '#api/field.ts';
import { dnsLabelProblem } from '#api/metadata.ts';
import { compareQuantity, parseQuantity, quantityProblem } from '#api/quantity.ts';
import { checkTexts, readBoolean, readChoice, readRequiredText, readText } from '#api/read-scalar.ts';
import { plain } from '#api/shown-value.ts';
import type { Json } from '#core/object/object.ts';

const UNITS: ReadonlySet<string> = new Set(['', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'Ti']);
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'] as const;

/** Printable ASCII without the equals sign: what variables may be called since Kubernetes 1.34. */
const VARIABLE_NAME = /^[\x20-\x3c\x3e-\x7e]+$/;
const VARIABLE_WORDS =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

function checkVariable(variable: ObjectField): void {
  const name = readRequiredText(variable, 'name');
  if (name !== undefined && !VARIABLE_NAME.test(name)) {
    const equals = name.indexOf('=');
    // Who writes NAME=value here has the value in the name.
    const shown = equals < 0 ? name : `${name.slice(0, equals)}=…`;
    report(variable, ['name'], { kind: 'invalid', value: shown, detail: VARIABLE_WORDS });
  }
  const value = readText(variable, 'value');
  if (variable.value.valueFrom === undefined) return;
  const source = readObject(variable, 'valueFrom');
  if (source !== undefined && value !== undefined && value !== '') {
    const detail = 'may not be specified when `value` is not empty';
    report(source, [], { kind: 'invalid', value: '', detail });
  }
}

function checkVariables(container: ObjectField, key: string): void {
  const list = readList(container, key);
  if (list === undefined) return;
  for (let index = 0; index < list.value.length; index++) {
    const variable = readItem(list, index);
    if (variable !== undefined) checkVariable(variable);
  }
}

function checkMounts(container: ObjectField, volumes: ReadonlySet<string>): void {
  const list = readList(container, 'volumeMounts');
  if (list === undefined) return;
  const paths = new Set<string>();
  for (let index = 0; index < list.value.length; index++) {
    const mount = readItem(list, index);
    if (mount === undefined) continue;
    const name = readRequiredText(mount, 'name');
    if (name !== undefined && !volumes.has(name)) {
      const fix = 'name one of the volumes of the pod';
      report(mount, ['name'], { kind: 'invalid', value: name, detail: 'no volume has this name', fix });
    }
    const path = readRequiredText(mount, 'mountPath');
    if (path === undefined) continue;
    if (paths.has(path))
      report(mount, ['mountPath'], { kind: 'invalid', value: path, detail: 'must be unique' });
    paths.add(path);
  }
}

function checkAmounts(amounts: ObjectField): void {
  for (const resource of Object.keys(amounts.value)) {
    const value = amounts.value[resource] ?? 0;
    const problem = quantityProblem(value);
    if (problem !== undefined) report(amounts, [resource], { kind: 'invalid', value, detail: problem });
    else if (String(value).startsWith('-') && parseQuantity(value)?.sign === -1) {
      report(amounts, [resource], { kind: 'invalid', value, detail: 'must be greater than or equal to 0' });
    }
  }
}

/** Whole numbers of the same unit need no exact arithmetic; undefined for any other pair. */
function exceedsPlainly(request: string, limit: string): boolean | undefined {
  const asked = Number.parseInt(request, 10);
  const most = Number.parseInt(limit, 10);
  const unit = request.slice(String(asked).length);
  if (!UNITS.has(unit) || limit.slice(String(most).length) !== unit) return undefined;
  return Math.max(asked, most) <= Number.MAX_SAFE_INTEGER ? asked > most : undefined;
}

function exceeds(request: Json | undefined, limit: Json | undefined): boolean {
  if (request === limit || limit === undefined) return false;
  const plainly =
    typeof request === 'string' && typeof limit === 'string' ? exceedsPlainly(request, limit) : undefined;
  if (plainly !== undefined) return plainly;
  const asked = parseQuantity(request);
  const most = parseQuantity(limit);
  return asked !== undefined && most !== undefined && compareQuantity(asked, most) > 0;
}

function checkResources(container: ObjectField, key: string): void {
  const resources = readObject(container, key);
  if (resources === undefined) return;
  const limits = readObject(resources, 'limits');
  const requests = readObject(resources, 'requests');
  if (limits !== undefined) checkAmounts(limits);
  if (requests === undefined) return;
  checkAmounts(requests);
  if (limits === undefined) return;
  for (const resource of Object.keys(requests.value)) {
    const value = requests.value[resource] ?? 0;
    const limit = limits.value[resource];
    if (!exceeds(value, limit)) continue;
    const detail = `must be less than or equal to ${plain(resource)} limit of ${limit}`;
    report(requests, [resource], { kind: 'invalid', value, detail });
  }
}

function checkImage(container: ObjectField): void {
  const image = readRequiredText(container, 'image');
  if (image === undefined || image.trim() === image) return;
  const detail = 'must not have leading or trailing whitespace';
  report(container, ['image'], { kind: 'invalid', value: image, detail });
}

function checkName(container: ObjectField, taken: Set<string>): void {
  const name = readRequiredText(container, 'name');
  if (name === undefined) return;
  const problem = dnsLabelProblem(name);
  if (problem !== undefined) report(container, ['name'], { kind: 'invalid', value: name, detail: problem });
  else if (taken.has(name)) report(container, ['name'], { kind: 'duplicate', value: name });
  taken.add(name);
}

const CONTAINER_FIELDS: ReadonlyMap<string, FieldCheck> = new Map<string, FieldCheck>([
  ['command', checkTexts],
  ['args', checkTexts],
  ['env', checkVariables],
  ['resources', checkResources],
  ['imagePullPolicy', (container, key) => readChoice(container, key, PULL_POLICIES)],
  ['workingDir', readText],
  ['restartPolicy', readText],
  ['terminationMessagePath', readText],
  ['terminationMessagePolicy', readText],
  ['stdin', readBoolean],
  ['stdinOnce', readBoolean],
  ['tty', readBoolean],
  ['securityContext', readObject],
  ['lifecycle', readObject],
  ['livenessProbe', readObject],
  ['readinessProbe', readObject],
  ['startupProbe', readObject],
  ['ports', readList],
  ['envFrom', readList],
]);

/**
 * The rules of a pod's containers that decide whether a Job's pods can be created at all.
 * @param taken names of containers seen so far; those of this list are added
 */
export function checkContainers(list: ListField, taken: Set<string>, volumes: ReadonlySet<string>): void {
  for (let index = 0; index < list.value.length; index++) {
    const container = readItem(list, index);
    if (container === undefined) continue;
    checkName(container, taken);
    checkImage(container);
    checkMounts(container, volumes);
    checkPresent(container, CONTAINER_FIELDS);
  }
}
