import { describe, expect, it } from 'vitest';
import { type ParseOptions, parseManifest } from '#source/parse.ts';
import { cronJob, parsed } from './support.ts';

interface Row {
  readonly name: string;
  readonly text: string;
  readonly file?: string;
  readonly options?: ParseOptions;
  readonly objects?: readonly string[];
  readonly found?: readonly string[];
  readonly complete?: boolean;
}

const A = cronJob('a');
const B = cronJob('b');
const SCANNED = { scanned: true };

const DOCUMENTS: readonly Row[] = [
  { name: 'an empty file holds nothing', text: '' },
  { name: 'a file of comments holds nothing', text: '# nothing\n\n  # here\n' },
  { name: 'a file of markers holds nothing', text: '---\n---\n# c\n---\n' },
  { name: 'one document', text: A, objects: ['CronJob harbor/a'] },
  {
    name: 'documents between markers',
    text: `---\n${A}---\n${B}`,
    objects: ['CronJob harbor/a', 'CronJob harbor/b'],
  },
  {
    name: 'empty documents are counted and skipped',
    text: `---\n---\n${A}spec: !x 1\n`,
    found: ['error UnknownTag f.yaml:6:7 (2)'],
  },
  {
    name: 'a comment before the first marker is no document',
    text: `# c\n---\n${A}spec: !x 1\n`,
    found: ['error UnknownTag f.yaml:6:7 (1)'],
  },
  {
    name: 'a comment and spaces behind a marker',
    text: `--- # first\n${A}---   \n${B}`,
    objects: ['CronJob harbor/a', 'CronJob harbor/b'],
  },
  {
    name: 'CRLF line ends',
    text: `---\n${A}---\n${B}`.replaceAll('\n', '\r\n'),
    objects: ['CronJob harbor/a', 'CronJob harbor/b'],
  },
  {
    name: 'line ends of one CR',
    text: `${A}---\n${B}`.replaceAll('\n', '\r'),
    objects: ['CronJob harbor/a', 'CronJob harbor/b'],
  },
  {
    name: 'a byte order mark, also where files were joined',
    text: `\uFEFF${A}---\n\uFEFF${B}`,
    objects: ['CronJob harbor/a', 'CronJob harbor/b'],
  },
  {
    name: 'a marker inside a block scalar is text',
    text: `${A}spec:\n  script: |\n    a\n    ---\n    b\n`,
    objects: ['CronJob harbor/a'],
  },
  {
    name: 'a line that only begins like a marker is no marker',
    text: `${A}spec: "a\n  ----- b"\n`,
    objects: ['CronJob harbor/a'],
  },
  { name: 'a version directive', text: `%YAML 1.1\n---\n${A}`, objects: ['CronJob harbor/a'] },
  ...['1.2', '3.0', '1.10'].map((version) => ({
    name: `a directive of version ${version}, which kubectl refuses`,
    text: `%YAML ${version}\n---\n${A}`,
    objects: [],
    found: ['error InvalidYaml f.yaml:1:1 (1)'],
  })),
  {
    name: 'two version directives',
    text: `%YAML 1.1\n%YAML 1.1\n---\n${A}`,
    objects: [],
    found: ['error InvalidYaml f.yaml:2:1 (1)'],
  },
  { name: 'an unknown directive', text: `%FOO bar\n---\n${A}`, objects: ['CronJob harbor/a'] },
  { name: 'an end marker', text: `${A}...\n`, objects: ['CronJob harbor/a'] },
  {
    name: 'an end marker before a document marker',
    text: `${A}...\n---\n${B}`,
    objects: ['CronJob harbor/a', 'CronJob harbor/b'],
  },
  {
    name: 'a document that kubectl drops behind an end marker',
    text: `${A}...\n${B}`,
    objects: ['CronJob harbor/a'],
    found: ['error InvalidYaml f.yaml:5:1 (2)'],
  },
  {
    name: 'quotes that never close end with their document',
    text: `${A}spec: "x\n---\n${B}`,
    objects: ['CronJob harbor/b'],
    found: ['error InvalidYaml f.yaml:4:7 (1)'],
  },
  {
    name: 'brackets that never close end with their document',
    text: `${A}spec: [1, 2\n---\n${B}`,
    objects: ['CronJob harbor/b'],
    found: ['error InvalidYaml f.yaml:5:1 (1)'],
  },
];

const SYNTAX: readonly Row[] = [
  { name: 'a tab as indentation', text: `${A}spec:\n\tx: 1\n`, found: ['error InvalidYaml f.yaml:5:1 (1)'] },
  {
    name: 'uneven indentation',
    text: `${A}spec:\n  x: 1\n y: 2\n`,
    found: ['error InvalidYaml f.yaml:6:1 (1)'],
  },
  {
    name: 'a second colon in a plain value',
    text: `${A}spec: {}\nx: a: b\n`,
    found: ['error InvalidYaml f.yaml:5:4 (1)'],
  },
  { name: 'an unknown escape', text: `${A}spec: "\\q"\n`, found: ['error InvalidYaml f.yaml:4:8 (1)'] },
  {
    name: 'a control character',
    text: `${A}spec: "a\u0001b"\n`,
    found: ['error InvalidYaml f.yaml:4:9 (1)'],
  },
  {
    name: 'half of a surrogate pair',
    text: `${A}spec: "\\ud800"\n`,
    found: ['error InvalidYaml f.yaml:4:7 (1)'],
  },
  {
    name: 'both halves of a surrogate pair',
    text: `${A}spec: "\\ud83d\\ude00"\n`,
    objects: ['CronJob harbor/a'],
  },
  {
    name: 'an unquoted macro',
    text: `${A}spec: {schedule: @daily}\n`,
    found: ['error InvalidYaml f.yaml:4:18 (1)'],
  },
  {
    name: 'an unquoted star in a list',
    text: `${A}spec:\n- */5 * * * *\n`,
    found: ['error InvalidYaml f.yaml:5:3 (1)'],
  },
  {
    name: 'a field of its own with a star',
    text: `${A}spec:\n  minute: */5\n`,
    found: ['error InvalidYaml f.yaml:5:11 (1)'],
  },
  {
    name: 'only stars',
    text: `${A}spec:\n  schedule: * * * * *\n`,
    found: ['error InvalidYaml f.yaml:5:13 (1)'],
  },
  { name: 'a custom tag', text: `${A}spec: !ref x\n`, found: ['error UnknownTag f.yaml:4:7 (1)'] },
  {
    name: 'a tag that makes code',
    text: `${A}spec: !!js/function "x"\n`,
    found: ['error UnknownTag f.yaml:4:7 (1)'],
  },
  {
    name: 'a tag on a mapping',
    text: `${A}spec: !!set {a, b}\n`,
    found: ['error UnknownTag f.yaml:4:7 (1)'],
  },
  {
    name: 'a tag handle without a directive',
    text: `${A}spec: !e!x 1\n`,
    found: ['error UnknownTag f.yaml:4:7 (1)'],
  },
  {
    name: 'tags of the core types',
    text: `${A}spec: {a: !!str 1, b: !!int "2", c: !!float 3, d: !!bool "no", e: !!null "", f: !!map {}, g: !!seq []}\n`,
    objects: ['CronJob harbor/a'],
  },
  {
    name: 'a tag that does not fit',
    text: `${A}spec: !!int 1.5\n`,
    found: ['error InvalidYaml f.yaml:4:13 (1)'],
  },
  {
    name: 'binary that is no text',
    text: `${A}spec: !!binary /w==\n`,
    found: ['error InvalidYaml f.yaml:4:16 (1)'],
  },
  { name: 'infinity', text: `${A}spec: .inf\n`, found: ['error InvalidYaml f.yaml:4:7 (1)'] },
  { name: 'null as a key', text: `${A}spec: {~: x}\n`, found: ['error InvalidYaml f.yaml:4:8 (1)'] },
  { name: 'a list as a key', text: `${A}? [a]\n: x\n`, found: ['error InvalidYaml f.yaml:4:3 (1)'] },
  {
    name: 'two keys that become one',
    text: `${A}spec: {"true": 1, on: 2}\n`,
    found: ['warning AmbiguousScalar f.yaml:4:19 (1)', 'error DuplicateKey f.yaml:4:19 (1)'],
  },
  {
    name: 'two merge keys in one mapping',
    text: `${A}spec: {<<: {a: 1}, <<: {b: 1}}\n`,
    found: ['error DuplicateKey f.yaml:4:20 (1)'],
  },
  {
    name: 'a merge key behind a key that it sets again',
    text: `${A}spec:\n  a: 1\n  <<: {a: 2}\n`,
    found: ['error DuplicateKey f.yaml:6:3 (1)'],
  },
  {
    name: 'a merge key of a scalar',
    text: `${A}spec: {<<: 1}\n`,
    found: ['error InvalidYaml f.yaml:4:8 (1)'],
  },
  {
    name: 'an alias in another document',
    text: `${A}x: &x 1\n---\n${B}x: *x\n`,
    objects: ['CronJob harbor/a'],
    found: ['error UnknownAlias f.yaml:9:4 (2)'],
  },
  {
    name: 'an alias before its anchor',
    text: `${A}x: *x\nz: &x 1\n`,
    found: ['error UnknownAlias f.yaml:4:4 (1)'],
  },
];

const TEMPLATES: readonly Row[] = [
  {
    name: 'a value that is a template',
    text: `${A}spec: {{ .Values.spec }}\n`,
    found: ['error TemplateSyntax f.yaml:4:7 (1)'],
  },
  {
    name: 'a value with a template in it',
    text: `${A}spec: {{ .Values.spec }}-x\n`,
    found: ['error TemplateSyntax f.yaml:4:7 (1)'],
  },
  {
    name: 'a condition around the object',
    text: `{{- if .Values.on }}\n${A}{{- end }}\n`,
    found: ['error TemplateSyntax f.yaml:1:1 (1)'],
  },
  {
    name: 'an include',
    text: `${A}spec:\n  {{- include "x" . | nindent 2 }}\n`,
    found: ['error TemplateSyntax f.yaml:5:3 (1)'],
  },
  {
    name: 'a call in front of the object',
    text: `{{ template "defaults" }}\n${A}`,
    found: ['error TemplateSyntax f.yaml:1:1 (1)'],
  },
  {
    name: 'a template of Jinja',
    text: `{% if on %}\n${A}{% endif %}\n`,
    found: ['error TemplateSyntax f.yaml:1:1 (1)'],
  },
  {
    name: 'a quoted name that is a template',
    text: A.replace('name: a', 'name: "{{ .Release.Name }}"'),
    found: ['error TemplateSyntax f.yaml:3:18 (1)'],
  },
  {
    name: 'a quoted template in a spec is text',
    text: `${A}spec: {cmd: "{{ .Application.metadata.name }}"}\n`,
    objects: ['CronJob harbor/a'],
  },
  {
    name: 'a fault elsewhere is not blamed on a quoted template',
    text: `${A}spec: {cmd: "{{ .x }}"}\nx: a: b\n`,
    found: ['error InvalidYaml f.yaml:5:4 (1)'],
  },
];

const OBJECTS: readonly Row[] = [
  { name: 'no type, named', text: 'replicas: 1\n', found: ['error NotAnObject f.yaml:1:1 (1)'] },
  {
    name: 'no type, in a folder',
    text: 'replicas: 1\non: push\n',
    options: SCANNED,
    found: ['warning NotAnObject f.yaml:1:1 (1)'],
    complete: true,
  },
  {
    name: 'a chart in a folder',
    text: 'apiVersion: v2\nname: chart\n',
    options: SCANNED,
    found: ['warning NotAnObject f.yaml:1:1 (1)'],
    complete: true,
  },
  {
    name: "another tool's tags in a folder",
    text: 'a: !reference [b, c]\n',
    options: SCANNED,
    found: ['warning NotAnObject f.yaml:1:1 (1)'],
    complete: true,
  },
  {
    name: "another tool's tags, named",
    text: 'a: !reference [b, c]\n',
    found: ['error UnknownTag f.yaml:1:4 (1)'],
  },
  {
    name: "another tool's tags beside a key that stands twice, in a folder",
    text: 'a: !reference [b, c]\na: 1\n',
    options: SCANNED,
    found: ['error UnknownTag f.yaml:1:4 (1)', 'error DuplicateKey f.yaml:2:1 (1)'],
  },
  {
    name: 'an object that lost its apiVersion, in a folder',
    text: 'kind: CronJob\nmetadata: {name: a}\n',
    options: SCANNED,
    found: ['error NotAnObject f.yaml:1:1 (1)'],
  },
  {
    name: 'an object that lost its kind, in a folder',
    text: 'apiVersion: batch/v1\nmetadata: {name: a}\n',
    options: SCANNED,
    found: ['error NotAnObject f.yaml:1:1 (1)'],
  },
  {
    name: 'a kind that is no text',
    text: 'apiVersion: v1\nkind: 1\nmetadata: {name: a}\n',
    found: ['error NotAnObject f.yaml:2:7 (1)'],
  },
  {
    name: 'an apiVersion with two slashes',
    text: 'apiVersion: a/b/c\nkind: A\nmetadata: {name: a}\n',
    found: ['error NotAnObject f.yaml:1:13 (1)'],
  },
  { name: 'a list at the top', text: '- a\n', found: ['error NotAnObject f.yaml:1:1 (1)'] },
  { name: 'a text at the top', text: 'hello\n', found: ['error NotAnObject f.yaml:1:1 (1)'] },
  {
    name: 'a kustomization',
    text: 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n',
    found: ['note NotAnObject f.yaml:1:1 (1)'],
    complete: true,
  },
  {
    name: 'a kustomization without a type',
    text: 'resources: [a.yaml]\n',
    file: 'base/kustomization.yaml',
    found: ['note NotAnObject base/kustomization.yaml:1:1 (1)'],
    complete: true,
  },
  {
    name: "Flux's Kustomization is an object",
    text: 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n',
    objects: ['Kustomization apps'],
  },
  {
    name: 'a Secret encrypted by SOPS, named',
    text: 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nsops: {mac: "ENC[x]"}\n',
    found: ['error EncryptedFile f.yaml:1:1 (1)'],
  },
  {
    name: 'a Secret encrypted by SOPS, in a folder',
    text: 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nsops: {mac: "ENC[x]"}\n',
    options: SCANNED,
    found: ['warning EncryptedFile f.yaml:1:1 (1)'],
    complete: false,
  },
  {
    name: 'a schedule encrypted by SOPS, in a folder',
    text: `${A}sops: {mac: "ENC[x]"}\n`,
    options: SCANNED,
    found: ['error EncryptedFile f.yaml:1:1 (1)'],
  },
  {
    name: 'a vault of Ansible',
    text: '$ANSIBLE_VAULT;1.1;AES256\n6162\n',
    found: ['error EncryptedFile f.yaml:1:1'],
  },
  {
    name: 'a list object',
    text: `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: x}}\n- {apiVersion: v1, kind: A, metadata: {name: z}}\n`,
    objects: ['A x', 'A z'],
  },
  {
    name: 'a list object in a list object',
    text: 'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: A, metadata: {name: x}}]}\n',
    objects: ['A x'],
  },
  { name: 'an empty list object', text: 'apiVersion: v1\nkind: List\nitems: []\n' },
  { name: 'a list object without items', text: 'apiVersion: v1\nkind: List\nmetadata: {}\n' },
  {
    name: 'a typed list gives its items their type',
    text: 'apiVersion: batch/v1\nkind: CronJobList\nitems: [{metadata: {name: x}}]\n',
    objects: ['CronJob x'],
  },
  {
    name: 'a bad item leaves the others',
    text: 'apiVersion: batch/v1\nkind: CronJobList\nitems: [{metadata: {name: x}}, {metadata: {}}, 7]\n',
    objects: ['CronJob x'],
    found: ['error InvalidMetadata f.yaml:3:33 (1)', 'error NotAnObject f.yaml:3:48 (1)'],
  },
  {
    name: 'a kind that only sounds like a list',
    text: 'apiVersion: x/v1\nkind: AllowList\nmetadata: {name: a}\nspec: {items: []}\n',
    objects: ['AllowList a'],
  },
  {
    name: 'an item with a key twice takes its whole document with it',
    text: 'apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: A, metadata: {name: x}}, {apiVersion: v1, kind: B, metadata: {name: q}, s: 1, s: 2}]\n',
    found: ['error DuplicateKey f.yaml:3:110 (1)'],
  },
  {
    name: 'the same object under two versions of its group',
    text: `${A}---\n${A.replace('batch/v1', 'batch/v1beta1')}`,
    found: ['error DuplicateObject f.yaml:5:1 (2)'],
  },
  {
    name: 'the same name in two namespaces, groups and kinds',
    text: `${A}---\n${A.replace('harbor', 'other')}---\n${A.replace('batch/', 'x/')}---\n${A.replace('CronJob', 'Job')}`,
    objects: ['CronJob harbor/a', 'CronJob other/a', 'CronJob harbor/a', 'Job harbor/a'],
  },
];

const LIMITS: readonly Row[] = [
  {
    name: 'a hundred thousand brackets',
    text: '['.repeat(100_000),
    found: ['error LimitExceeded f.yaml:1:208 (1)'],
  },
  {
    name: 'a hundred thousand braces',
    text: '{'.repeat(100_000),
    found: ['error LimitExceeded f.yaml:1:208 (1)'],
  },
  {
    name: 'a hundred thousand dashes',
    text: '- '.repeat(100_000),
    found: ['error LimitExceeded f.yaml:1:415 (1)'],
  },
  {
    name: 'a hundred thousand question marks',
    text: '? '.repeat(100_000),
    found: ['error LimitExceeded f.yaml:1:415 (1)'],
  },
  { name: 'deep JSON', text: '{"a":'.repeat(100_000), found: ['error LimitExceeded f.yaml:1:501 (1)'] },
  {
    name: 'a hundred levels',
    text: `${A}spec: ${'['.repeat(99)}${']'.repeat(99)}\n`,
    objects: ['CronJob harbor/a'],
  },
  {
    name: 'a hundred and one levels',
    text: `${A}spec: ${'['.repeat(100)}${']'.repeat(100)}\n`,
    found: ['error LimitExceeded f.yaml:4:106 (1)'],
  },
  {
    name: 'levels that aliases stack up',
    text: `${A}spec:\n- &a0 [x]\n${Array.from({ length: 120 }, (_, i) => `- &a${i + 1} [*a${i}]\n`).join('')}`,
    found: ['error LimitExceeded f.yaml:103:9 (1)'],
  },
  {
    name: 'too many documents',
    text: '---\na: b\n'.repeat(4),
    options: { limits: { documents: 3 } },
    found: ['error LimitExceeded f.yaml:1:1'],
  },
  {
    name: 'too large a text',
    text: A,
    options: { limits: { fileBytes: 10 } },
    found: ['error LimitExceeded f.yaml:1:1'],
  },
  {
    name: 'too many tokens',
    text: `${A}---\n${B}spec: [${'a,'.repeat(50)}]\n`,
    options: { limits: { tokens: 100 } },
    objects: ['CronJob harbor/a'],
    found: ['error LimitExceeded f.yaml:8:46 (2)'],
  },
  {
    name: 'more commas than anybody would list faults',
    text: `${A}spec: [${','.repeat(5000)}]\n---\n${B}`,
    objects: ['CronJob harbor/b'],
    found: ['error InvalidYaml f.yaml:4:9 (1)'],
  },
  {
    name: 'more stray brackets than anybody would list faults',
    text: `a: ${']'.repeat(5000)}\n---\n${B}`,
    objects: ['CronJob harbor/b'],
    found: ['error InvalidYaml f.yaml:1:4 (1)'],
  },
];

function run({ text, file, options, objects = [], found = [], complete }: Row): void {
  expect(parsed(text, options, file)).toEqual({ objects, found, complete: complete ?? found.length === 0 });
}

describe('documents of a stream', () => {
  it.each(DOCUMENTS)('$name', run);
});

describe('text that is not what it seems', () => {
  it.each(SYNTAX)('$name', run);
});

describe('templates', () => {
  it.each(TEMPLATES)('$name', run);
});

describe('what is an object', () => {
  it.each(OBJECTS)('$name', run);
});

describe('limits', () => {
  it.each(LIMITS)('$name', run);
});

describe('words of diagnostics', () => {
  function first(text: string, options?: ParseOptions): unknown {
    const { what, why, fix } = parseManifest('f.yaml', text, options).diagnostics[0] ?? {};
    return { what, why, fix };
  }

  it.each([
    [
      'an octal number',
      `${A}spec: 0644\n`,
      {
        what: '`0644` without quotes is read as the number 420',
        why: 'kubectl reads unquoted scalars by YAML 1.1 rules (sigs.k8s.io/yaml), most other tools by YAML 1.2',
        fix: 'write "0644" if text is meant, 420 if not',
      },
    ],
    [
      'an integer beyond 2^53',
      `${A}spec: 9007199254740993\n`,
      {
        what: 'the integer 9007199254740993 is read as 9007199254740992',
        why: 'integers beyond 2^53 are not all exact in a 64-bit float',
        fix: 'write a smaller number, or text if the field takes text',
      },
    ],
    [
      'a merge key that comes late',
      `${A}spec:\n  a: 1\n  <<: {a: 2}\n`,
      {
        what: 'the key `a` of line 5 is set again by the merge key of line 6',
        why: 'kubectl lets the later one win, the YAML merge rule the one of the mapping itself',
        fix: 'move the merge key `<<` to the front of the mapping',
      },
    ],
    [
      'a template',
      `${A}spec: {{ .Values.spec }}\n`,
      {
        what: '`spec: {{ .Values.spec }}` is a template, not YAML',
        why: 'manifests are read as they would be applied; a template becomes one only when it is rendered',
        fix: 'render first, for example `helm template CHART | minutehand VERB -f -`',
      },
    ],
    [
      'quotes that never close',
      `${A}spec: "x\nother: 1\n`,
      {
        what: 'not valid YAML: the quotes that open here are not closed',
        why: 'a quoted text ends at its second quote, wherever that is',
        fix: 'close them; further lines of a quoted text have to be indented more than its key',
      },
    ],
    [
      'a tab',
      `${A}spec:\n\ta: 1\n`,
      {
        what: 'not valid YAML: tabs are not allowed as indentation',
        why: 'tabs do not indent (YAML 1.2, 6.1)',
        fix: 'indent with spaces',
      },
    ],
    [
      'a file that is no manifest',
      'replicas: 1\n',
      {
        what: 'the document has no apiVersion and no kind',
        why: 'an object of the Kubernetes API has apiVersion, kind and metadata',
        fix: 'name files of manifests only',
      },
    ],
    [
      'a nameless object',
      A.replace('name: a', 'generateName: a-'),
      {
        what: 'the object has metadata.generateName and no name',
        why: undefined,
        fix: 'write metadata.name: an object is known by it from tick to tick',
      },
    ],
    [
      'a control character',
      `${A}spec: "\u0007"\n`,
      {
        what: 'the document holds the control character U+0007',
        why: 'kubectl refuses it, and in an editor it cannot be seen',
        fix: 'remove it, or write it as an escape in double quotes',
      },
    ],
    [
      'a document behind an end marker',
      `a: b\n...\n${A}`,
      {
        what: 'the document has no apiVersion and no kind',
        why: 'an object of the Kubernetes API has apiVersion, kind and metadata',
        fix: 'name files of manifests only',
      },
    ],
  ])('of %s', (_, text, words) => {
    expect(first(text)).toEqual(words);
  });

  it('findings beyond the thousandth are counted, not listed', () => {
    const { objects, diagnostics } = parseManifest('f.yaml', `${A}spec: [${'no, '.repeat(1500)}]\n`);
    expect(objects).toHaveLength(1);
    expect(diagnostics).toHaveLength(1001);
    expect(diagnostics.at(-1)?.what).toBe('500 more findings in this document are not listed');
  });
});
