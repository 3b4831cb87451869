import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  byteLength,
  checkObjectMeta,
  dnsLabelProblem,
  dnsSubdomainProblem,
  domainPathProblem,
  labelValueProblem,
  type NameRules,
  qualifiedNameProblem,
} from '#api/metadata.ts';
import type { Metadata } from '#core/object/object.ts';
import { issueLines } from '#test/api/issue-lines.ts';

const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const KEY =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

type Problem = (text: string) => string | undefined;
type NameRow = readonly [string, string, string | undefined];

const x = (count: number) => 'x'.repeat(count);

const GRAMMARS: readonly (readonly [string, Problem, readonly NameRow[]])[] = [
  [
    'RFC 1123 label',
    dnsLabelProblem,
    [
      ['one letter', 'a', undefined],
      ['63 characters', x(63), undefined],
      ['64 characters', x(64), 'must be no more than 63 bytes'],
      ['nothing', '', LABEL],
      ['capitals', 'Backup', LABEL],
      ['a hyphen in front', '-a', LABEL],
      ['a hyphen at the end', 'a-', LABEL],
      ['an underscore', 'a_b', LABEL],
      ['a newline at the end', 'a\n', LABEL],
      ['dots between labels', 'a.b', 'must not contain dots'],
      ['too long and wrong', `${x(64)}_`, `must be no more than 63 bytes; ${LABEL}`],
    ],
  ],
  [
    'RFC 1123 subdomain',
    dnsSubdomainProblem,
    [
      ['labels with dots', 'a.b-c.0', undefined],
      ['253 characters', x(253), undefined],
      ['254 characters', x(254), 'must be no more than 253 bytes'],
      ['nothing', '', SUBDOMAIN],
      ['two dots', 'a..b', SUBDOMAIN],
      ['a dot at the end', 'a.', SUBDOMAIN],
      ['a hyphen before a dot', 'a-.b', SUBDOMAIN],
      ['a letter beyond ASCII', 'naïve', SUBDOMAIN],
    ],
  ],
  [
    'label value',
    labelValueProblem,
    [
      ['nothing', '', undefined],
      ['every kind of character', 'A-b_c.0', undefined],
      ['63 characters', x(63), undefined],
      ['64 characters', x(64), 'must be no more than 63 bytes'],
      ['a slash', 'a/b', VALUE],
      ['a dot in front', '.a', VALUE],
      ['a blank', 'a b', VALUE],
    ],
  ],
  [
    'qualified name',
    qualifiedNameProblem,
    [
      ['a name', 'My_name.0', undefined],
      ['a prefix', 'example.com/MyName', undefined],
      ['63 characters behind a prefix', `example.com/${x(63)}`, undefined],
      ['64 characters', x(64), 'name part must be no more than 63 bytes'],
      ['nothing', '', `name part must be non-empty; name part ${KEY}`],
      ['an empty prefix', '/a', 'prefix part must be non-empty'],
      ['an empty name', 'a/', `name part must be non-empty; name part ${KEY}`],
      ['a prefix in capitals', 'A/b', `prefix part ${SUBDOMAIN}`],
      ['a hyphen at the end', 'a-', `name part ${KEY}`],
      [
        'two slashes',
        'a/b/c',
        `a valid label key ${KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    ],
  ],
  [
    'domain-prefixed path',
    domainPathProblem,
    [
      ['a path', 'acme.io/a/b', undefined],
      ['no slash', 'acme.io', 'must be a domain-prefixed path (such as "acme.io/foo")'],
      ['no host', '/a', 'must be a domain-prefixed path (such as "acme.io/foo")'],
      ['no path', 'acme.io/', 'must be a domain-prefixed path (such as "acme.io/foo")'],
      ['a wrong host', 'acme_/a', SUBDOMAIN],
      [
        'a wrong path',
        'acme.io/a"',
        "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
      ],
    ],
  ],
];

describe.each(GRAMMARS)('%s', (_, problem, rows) => {
  test.each(rows)('%s is judged in the words of the API server', (_name, text, says) => {
    expect(problem(text)).toBe(says);
  });
});

test('lengths are counted in bytes of UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(byteLength(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
});

const RULES: NameRules = { namespaced: true, maxNameLength: 253, nameRule: 'subdomain' };
const OWNER = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', uid: 'u', controller: true };

interface Row {
  readonly name: string;
  readonly metadata: Partial<Metadata>;
  readonly rules?: Partial<NameRules>;
  readonly says: readonly string[];
}

const METADATA: readonly Row[] = [
  {
    name: 'all of it',
    metadata: {
      namespace: 'db',
      labels: { 'app.kubernetes.io/name': 'pg', empty: '' },
      annotations: { 'Example.com/Any': 'text of any kind\n' },
      ownerReferences: [OWNER, { ...OWNER, apiVersion: 'v1', kind: 'Node', controller: false }],
      finalizers: ['foregroundDeletion', 'batch.kubernetes.io/job-tracking'],
    },
    says: [],
  },
  {
    name: 'no name',
    metadata: { name: '' },
    says: ['metadata.name: Required value: name or generateName is required'],
  },
  {
    name: '52 characters where 52 are allowed',
    metadata: { name: x(52) },
    rules: { maxNameLength: 52 },
    says: [],
  },
  {
    name: '53 characters where 52 are allowed',
    metadata: { name: x(53) },
    rules: { maxNameLength: 52 },
    says: [`metadata.name: Invalid value: "${x(53)}": must be no more than 52 characters`],
  },
  {
    name: 'a dot where a label is asked for',
    metadata: { name: 'a.b' },
    rules: { nameRule: 'label', maxNameLength: 63 },
    says: ['metadata.name: Invalid value: "a.b": must not contain dots'],
  },
  {
    name: '64 characters where a label is asked for',
    metadata: { name: x(64) },
    rules: { nameRule: 'label', maxNameLength: 63 },
    says: [`metadata.name: Invalid value: "${x(64)}": must be no more than 63 bytes`],
  },
  {
    name: 'a name in capitals',
    metadata: { name: 'Tick' },
    says: [`metadata.name: Invalid value: "Tick": ${SUBDOMAIN}`],
  },
  { name: 'no namespace, which the client fills in', metadata: { namespace: '' }, says: [] },
  {
    name: 'a dot in the namespace',
    metadata: { namespace: 'a.b' },
    says: ['metadata.namespace: Invalid value: "a.b": must not contain dots'],
  },
  {
    name: 'a namespace where there is none',
    metadata: { namespace: 'db' },
    rules: { namespaced: false },
    says: ['metadata.namespace: Forbidden: not allowed on this type'],
  },
  {
    name: 'a wrong label key and a wrong value',
    metadata: { labels: { 'a b': 'c d' } },
    says: [
      `metadata.labels[a b]: Invalid value: "a b": name part ${KEY}`,
      `metadata.labels[a b]: Invalid value: "c d": ${VALUE}`,
    ],
  },
  {
    name: 'a wrong annotation key',
    metadata: { annotations: { 'a/b/c': '' } },
    says: [expect.stringContaining('metadata.annotations[a/b/c]: Invalid value: "a/b/c": a valid label key')],
  },
  {
    name: 'annotations of exactly 256 KiB',
    metadata: { annotations: { ab: 'é'.repeat(131_071) } },
    says: [],
  },
  {
    name: 'annotations of one byte more',
    metadata: { annotations: { abc: 'é'.repeat(131_071) } },
    says: ['metadata.annotations: Too long: may not be more than 262144 bytes'],
  },
  {
    name: 'an owner without anything',
    metadata: { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
    says: [
      'metadata.ownerReferences[0].apiVersion: Invalid value: "": version must not be empty',
      'metadata.ownerReferences[0].kind: Invalid value: "": must not be empty',
      'metadata.ownerReferences[0].name: Invalid value: "": must not be empty',
      'metadata.ownerReferences[0].uid: Invalid value: "": must not be empty',
    ],
  },
  {
    name: 'an owner whose group has no version',
    metadata: { ownerReferences: [{ ...OWNER, apiVersion: 'batch/' }] },
    says: ['metadata.ownerReferences[0].apiVersion: Invalid value: "batch/": version must not be empty'],
  },
  {
    name: 'an event as owner',
    metadata: { ownerReferences: [{ ...OWNER, apiVersion: 'v1', kind: 'Event' }] },
    says: ['metadata.ownerReferences[0]: Invalid value: /v1, Kind=Event is disallowed from being an owner'],
  },
  {
    name: 'two controllers',
    metadata: { ownerReferences: [OWNER, { ...OWNER, name: 'tock' }] },
    says: [
      'metadata.ownerReferences: Invalid value: Only one reference can have Controller set to true. Found "true" in references for CronJob/tick and CronJob/tock',
    ],
  },
  {
    name: 'a finalizer that is no qualified name',
    metadata: { finalizers: ['a/b', 'c d'] },
    says: [`metadata.finalizers[1]: Invalid value: "c d": name part ${KEY}`],
  },
  {
    name: 'finalizers that contradict',
    metadata: { finalizers: ['orphan', 'foregroundDeletion'] },
    says: ['metadata.finalizers: Invalid value: finalizer orphan and foregroundDeletion cannot be both set'],
  },
];

test.each(METADATA)('metadata with $name is judged as by the API server', ({ metadata, rules, says }) => {
  const issues = checkObjectMeta({ name: 'tick', ...metadata }, { ...RULES, ...rules });
  expect(issueLines(issues)).toEqual(says);
});
