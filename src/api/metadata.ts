import { type ObjectField, report, rootObject } from '#api/field.ts';
import { type Issue, issueAt, tooLong } from '#api/issue.ts';
import { plain } from '#api/shown-value.ts';
import type { FieldPath, Metadata, OwnerReference } from '#core/object/object.ts';

export interface NameRules {
  readonly namespaced: boolean;
  /** In characters; a kind whose runs add a suffix allows less than the 253 or 63 of the grammar. */
  readonly maxNameLength: number;
  readonly nameRule: 'subdomain' | 'label';
}

const LABEL_LENGTH = 63;
const SUBDOMAIN_LENGTH = 253;
const ANNOTATIONS_LENGTH = 256 * 1024;

// The grammars are those of apimachinery's content package. Each is matched in linear time, as no character can
// be read by two of its parts except the closing one of a label.
const DNS_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS_SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`;
const LABEL_KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${LABEL_KEY})?`;
const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

const isDnsLabel = new RegExp(`^${DNS_LABEL}$`);
const isDnsSubdomain = new RegExp(`^${DNS_SUBDOMAIN}$`);
const isLabelKey = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const isHttpPath = new RegExp(`^${HTTP_PATH}$`);

const LABEL_WORDS = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${DNS_LABEL}')`;
const SUBDOMAIN_WORDS = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${DNS_SUBDOMAIN}')`;
const KEY_WORDS = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${LABEL_KEY}')`;
const VALUE_WORDS = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${LABEL_VALUE}')`;

/** The length in bytes of UTF-8, which is what the API server counts. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // A surrogate pair has two units and four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

function lengthProblem(text: string, limit: number): string[] {
  return text.length > limit || byteLength(text) > limit ? [`must be no more than ${limit} bytes`] : [];
}

/** @returns why the text is no RFC 1123 label, in the API server's words; several reasons are joined by `; ` */
export function dnsLabelProblem(text: string): string | undefined {
  if (text.length <= LABEL_LENGTH && isDnsLabel.test(text)) return undefined;
  const problems = lengthProblem(text, LABEL_LENGTH);
  if (isDnsSubdomain.test(text)) {
    if (text.includes('.')) problems.push('must not contain dots');
  } else problems.push(LABEL_WORDS);
  return problems.join('; ');
}

/** @returns why the text is no RFC 1123 subdomain, as `dnsLabelProblem` */
export function dnsSubdomainProblem(text: string): string | undefined {
  if (text.length <= SUBDOMAIN_LENGTH && isDnsSubdomain.test(text)) return undefined;
  const problems = lengthProblem(text, SUBDOMAIN_LENGTH);
  if (!isDnsSubdomain.test(text)) problems.push(SUBDOMAIN_WORDS);
  return problems.join('; ');
}

/** @returns why the text is no label value, as `dnsLabelProblem` */
export function labelValueProblem(text: string): string | undefined {
  if (text === '' || (text.length <= LABEL_LENGTH && isLabelKey.test(text))) return undefined;
  const problems = lengthProblem(text, LABEL_LENGTH);
  if (!isLabelKey.test(text)) problems.push(VALUE_WORDS);
  return problems.join('; ');
}

/** @returns why the text is no qualified name (a label key: `name` or `subdomain/name`), as `dnsLabelProblem` */
export function qualifiedNameProblem(text: string): string | undefined {
  if (text.length <= LABEL_LENGTH && isLabelKey.test(text)) return undefined;
  const slash = text.indexOf('/');
  if (slash >= 0 && text.includes('/', slash + 1)) {
    return `a valid label key ${KEY_WORDS} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  }
  const name = text.slice(slash + 1);
  const problems: string[] = [];
  if (slash === 0) problems.push('prefix part must be non-empty');
  const prefixProblem = slash > 0 ? dnsSubdomainProblem(text.slice(0, slash)) : undefined;
  if (prefixProblem !== undefined) problems.push(`prefix part ${prefixProblem}`);
  if (name === '') problems.push('name part must be non-empty');
  for (const problem of lengthProblem(name, LABEL_LENGTH)) problems.push(`name part ${problem}`);
  if (!isLabelKey.test(name)) problems.push(`name part ${KEY_WORDS}`);
  return problems.length === 0 ? undefined : problems.join('; ');
}

/** @returns why the text is no domain-prefixed path such as `acme.io/foo`, as `dnsLabelProblem` */
export function domainPathProblem(text: string): string | undefined {
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) {
    return 'must be a domain-prefixed path (such as "acme.io/foo")';
  }
  const hostProblem = dnsSubdomainProblem(text.slice(0, slash));
  if (hostProblem !== undefined) return hostProblem;
  const isPath = isHttpPath.test(text.slice(slash + 1));
  return isPath ? undefined : `Invalid path (regex used for validation is '${HTTP_PATH}')`;
}

/** Label keys are qualified names, values at most 63 characters. Values that are no strings are left alone. */
export function checkLabels(labels: ObjectField): void {
  for (const key of Object.keys(labels.value)) {
    const keyProblem = qualifiedNameProblem(key);
    if (keyProblem !== undefined) report(labels, [key], { kind: 'invalid', value: key, detail: keyProblem });
    const value = labels.value[key];
    const problem = typeof value === 'string' ? labelValueProblem(value) : undefined;
    if (problem !== undefined)
      report(labels, [key], { kind: 'invalid', value: value ?? '', detail: problem });
  }
}

/** Annotation keys are qualified names in any letter case; keys and values are at most 256 KiB in all. */
export function checkAnnotations(annotations: ObjectField): void {
  let bytes = 0;
  for (const key of Object.keys(annotations.value)) {
    const problem = qualifiedNameProblem(key.toLowerCase());
    if (problem !== undefined) report(annotations, [key], { kind: 'invalid', value: key, detail: problem });
    const value = annotations.value[key];
    bytes += byteLength(key) + (typeof value === 'string' ? byteLength(value) : 0);
  }
  if (bytes > ANNOTATIONS_LENGTH) report(annotations, [], tooLong(ANNOTATIONS_LENGTH));
}

function checkName(name: string, rules: NameRules): Issue[] {
  const path = ['metadata', 'name'];
  if (name === '') return [issueAt(path, { kind: 'required', detail: 'name or generateName is required' })];
  const problem = rules.nameRule === 'label' ? dnsLabelProblem(name) : dnsSubdomainProblem(name);
  const issues =
    problem === undefined ? [] : [issueAt(path, { kind: 'invalid', value: name, detail: problem })];
  const naturalLength = rules.nameRule === 'label' ? LABEL_LENGTH : SUBDOMAIN_LENGTH;
  if (rules.maxNameLength < naturalLength && name.length > rules.maxNameLength) {
    const detail = `must be no more than ${rules.maxNameLength} characters`;
    const fix = `shorten the name by ${name.length - rules.maxNameLength}`;
    issues.push(issueAt(path, { kind: 'invalid', value: name, detail, fix }));
  }
  return issues;
}

/** An absent namespace is no issue: the client fills it in. */
function checkNamespace(namespace: string | undefined, namespaced: boolean): Issue[] {
  if (namespace === undefined || namespace === '') return [];
  const path = ['metadata', 'namespace'];
  if (!namespaced) return [issueAt(path, { kind: 'forbidden', detail: 'not allowed on this type' })];
  const problem = dnsLabelProblem(namespace);
  return problem === undefined ? [] : [issueAt(path, { kind: 'invalid', value: namespace, detail: problem })];
}

function checkOwner(owner: OwnerReference, path: FieldPath): Issue[] {
  const issues: Issue[] = [];
  const parts = owner.apiVersion.split('/');
  if (parts.length > 2 || parts.at(-1) === '') {
    const fault = {
      kind: 'invalid',
      value: owner.apiVersion,
      detail: 'version must not be empty',
    } as const;
    issues.push(issueAt([...path, 'apiVersion'], fault));
  }
  for (const key of ['kind', 'name', 'uid'] as const) {
    if (owner[key] !== '') continue;
    issues.push(issueAt([...path, key], { kind: 'invalid', value: '', detail: 'must not be empty' }));
  }
  if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
    const detail = '/v1, Kind=Event is disallowed from being an owner';
    issues.push(issueAt(path, { kind: 'invalid', detail }));
  }
  return issues;
}

function checkOwners(owners: readonly OwnerReference[]): Issue[] {
  const base = ['metadata', 'ownerReferences'];
  const issues = owners.flatMap((owner, index) => checkOwner(owner, [...base, index]));
  const [first, ...others] = owners.filter((owner) => owner.controller === true);
  for (const other of others) {
    const names = [first ?? other, other].map((owner) => plain(`${owner.kind}/${owner.name}`)).join(' and ');
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${names}`;
    issues.push(issueAt(base, { kind: 'invalid', detail }));
  }
  return issues;
}

function checkFinalizers(finalizers: readonly string[]): Issue[] {
  const base = ['metadata', 'finalizers'];
  const issues: Issue[] = [];
  for (const [index, name] of finalizers.entries()) {
    const problem = qualifiedNameProblem(name);
    if (problem === undefined) continue;
    issues.push(issueAt([...base, index], { kind: 'invalid', value: name, detail: problem }));
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    issues.push(issueAt(base, { kind: 'invalid', detail }));
  }
  return issues;
}

/**
 * The rules that the API server has for the metadata of every object on creation.
 * Label and annotation issues carry the key in their path; the server names only the map.
 */
export function checkObjectMeta(metadata: Metadata, options: NameRules): Issue[] {
  const issues = checkName(metadata.name, options);
  issues.push(...checkNamespace(metadata.namespace, options.namespaced));
  const labels = rootObject(metadata.labels, { base: ['metadata', 'labels'], issues });
  if (labels !== undefined) checkLabels(labels);
  const annotations = rootObject(metadata.annotations, { base: ['metadata', 'annotations'], issues });
  if (annotations !== undefined) checkAnnotations(annotations);
  if (metadata.ownerReferences !== undefined) issues.push(...checkOwners(metadata.ownerReferences));
  if (metadata.finalizers !== undefined) issues.push(...checkFinalizers(metadata.finalizers));
  return issues;
}
