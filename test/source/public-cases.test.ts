import { describe, expect, it } from 'vitest';
import { parseManifest } from '#source/parse.ts';
import { headline, parsed } from './support.ts';

const S = `kind: CronJob
apiVersion: batch/v1
metadata: {name: s, namespace: harbor}
spec:
  schedule: "0 3 * * *"
  suspend: no
`;
const T = `kind: EtcdDefragPolicy
apiVersion: etcd-operator.cozystack.io/v1alpha2
metadata: {name: t, namespace: vault-a}
spec:
  clusterRef: {name: kv}
  schedule: "0 3 * * *"
  suspend: off
`;
const U = `kind: CronJob
apiVersion: batch/v1
metadata: {name: u, namespace: harbor, labels: {on: yes, country: NO}}
spec: {schedule: "0 3 * * *", suspend: "false"}
`;

describe('pub-001: words that YAML 1.1 reads as booleans', () => {
  it.each([
    ['no', S],
    ['off', T],
  ])('`suspend: %s` is the boolean false, and reported as a trap', (word, text) => {
    const { objects, diagnostics } = parseManifest('s.yaml', text);
    expect(objects[0]?.object.spec).toMatchObject({ suspend: false });
    expect(diagnostics[0]).toMatchObject({
      code: 'AmbiguousScalar',
      severity: 'warning',
      path: ['spec', 'suspend'],
      what: `\`${word}\` without quotes is read as the boolean false`,
      fix: `write "${word}" if text is meant, false if not`,
    });
  });

  it('a label that becomes a boolean is an error with the place of its value, and so is its key a trap', () => {
    const { objects, diagnostics, complete } = parseManifest('u.yaml', U);
    expect({ objects, complete }).toEqual({ objects: [], complete: false });
    expect(diagnostics.map(headline)).toEqual([
      'warning AmbiguousScalar u.yaml:3:49 (1)',
      'warning AmbiguousScalar u.yaml:3:53 (1)',
      'warning AmbiguousScalar u.yaml:3:67 (1)',
      'error InvalidMetadata u.yaml:3:53 (1)',
      'error InvalidMetadata u.yaml:3:67 (1)',
    ]);
    expect(diagnostics[0]?.what).toBe('the key `on` without quotes becomes the key "true"');
    expect(diagnostics[4]).toMatchObject({
      path: ['metadata', 'labels', 'country'],
      what: 'metadata.labels.country is the boolean false, not text',
      fix: 'write the value in quotes',
      object: { group: 'batch', kind: 'CronJob', namespace: 'harbor', name: 'u' },
    });
  });

  it('a boolean in quotes stays text', () => {
    const text = 'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: u}\nspec: {suspend: "false"}\n';
    expect(parseManifest('u.yaml', text).objects[0]?.object.spec).toEqual({ suspend: 'false' });
  });
});

describe('pub-063: expressions that begin with a star', () => {
  const a =
    'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a, namespace: harbor}\nspec:\n  schedule: */5 * * * *\n';

  it('is an error in its line that asks for quotes and names the object', () => {
    const { objects, diagnostics, complete } = parseManifest('a.yaml', a);
    expect({ objects, complete }).toEqual({ objects: [], complete: false });
    expect(diagnostics).toEqual([
      {
        code: 'InvalidYaml',
        severity: 'error',
        place: { file: 'a.yaml', line: 5, column: 13, document: 1 },
        object: { group: 'batch', kind: 'CronJob', namespace: 'harbor', name: 'a' },
        what: '`*/5 * * * *` is not text without quotes',
        why: 'in YAML a value that begins with `*` is an alias (YAML 1.2, 7.1)',
        fix: 'quote the cron expression: "*/5 * * * *"',
      },
    ]);
  });

  it('leaves the other documents of the file alone', () => {
    const b = a.replace('name: a', 'name: b').replace('*/5 * * * *', '"0 3 * * *"');
    expect(parsed(`${a}---\n${b}`).objects).toEqual(['CronJob harbor/b']);
  });

  it('never takes the value of an anchor of another document', () => {
    const c = `spec: {x: &nightly "0 0 1 1 *"}\n---\n${a.replace('*/5 * * * *', '*nightly')}`;
    const { objects, diagnostics } = parseManifest('c.yaml', c);
    expect(objects).toEqual([]);
    expect(diagnostics[1]).toMatchObject({
      code: 'UnknownAlias',
      place: { line: 7, column: 13, document: 2 },
      what: 'the alias `*nightly` has no anchor `&nightly` before it in this document',
      why: 'anchors end with their document (YAML 1.2, 3.2.2.2)',
    });
  });
});

describe('pub-064: the same key twice', () => {
  const good = (index: number): string =>
    `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: good-${index}}\n`;
  const dup = `---
kind: CronJob
apiVersion: batch/v1
metadata: {name: dup, namespace: harbor}
spec:
  schedule: "0 3 * * *"
  suspend: true
  schedule: "* * * * *"
`;
  const after = '---\nkind: CronJob\napiVersion: batch/v1\nmetadata: {name: after, namespace: harbor}\n';
  const text = Array.from({ length: 38 }, (_, index) => good(index)).join('') + dup + after;

  it('names file, document, both lines and the object, and uses the other 39 documents', () => {
    const { objects, diagnostics, complete } = parseManifest('many.yaml', text);
    expect(objects.map(({ object }) => object.metadata.name)).toEqual([
      ...Array.from({ length: 38 }, (_, index) => `good-${index}`),
      'after',
    ]);
    expect(complete).toBe(false);
    expect(diagnostics).toEqual([
      {
        code: 'DuplicateKey',
        severity: 'error',
        place: { file: 'many.yaml', line: 160, column: 3, document: 39 },
        path: ['spec', 'schedule'],
        object: { group: 'batch', kind: 'CronJob', namespace: 'harbor', name: 'dup' },
        what: 'the key `schedule` stands twice in one mapping, on lines 158 and 160',
        why: 'which of the two counts depends on the reader; keys are unique (YAML 1.2, 3.2.1.1)',
        fix: 'remove one of the two',
      },
    ]);
  });

  it.each([
    ['its name', 'kind: A\nmetadata: {name: a, name: b}\n'],
    ['its kind', 'kind: A\nkind: B\nmetadata: {name: a}\n'],
    ['its metadata', 'kind: A\nmetadata: {name: a}\nmetadata: {name: b}\n'],
  ])('does not guess which object it is when %s stands twice', (_, text) => {
    const [found] = parseManifest('f.yaml', `apiVersion: v1\n${text}`).diagnostics;
    expect(found).toMatchObject({ code: 'DuplicateKey' });
    expect(found).not.toHaveProperty('object');
  });

  it('names the item of a list that it is in', () => {
    const item = (name: string, spec: string): string =>
      `- {kind: A, apiVersion: v1, metadata: {name: ${name}}, spec: ${spec}}\n`;
    const text = `apiVersion: v1\nkind: List\nitems:\n${item('a', '{}')}${item('b', '{c: 1, c: 2}')}${item('d', '{}')}`;
    expect(parseManifest('f.yaml', text).diagnostics).toMatchObject([
      { object: { kind: 'A', name: 'b' }, path: ['spec', 'c'] },
    ]);
  });

  it('refuses both definitions of one object, with both places', () => {
    const { objects, diagnostics, complete } = parseManifest('two.yaml', `${after}---\nx\n${after}`);
    expect({ objects, complete }).toEqual({ objects: [], complete: false });
    expect(diagnostics[1]).toMatchObject({
      code: 'DuplicateObject',
      place: { file: 'two.yaml', line: 8, column: 1, document: 3 },
      what: 'CronJob harbor/after is defined 2 times: two.yaml:2 (document 1), two.yaml:8 (document 3)',
    });
  });
});

describe('pub-067: aliases that multiply', () => {
  function bomb(levels: string): string {
    const rows = ['a: &a [x,x,x,x,x,x,x,x,x]'];
    let last = 'a';
    for (const name of levels) {
      rows.push(`${name}: &${name} [${Array(9).fill(`*${last}`).join()}]`);
      last = name;
    }
    return `${rows.join('\n')}\n`;
  }

  it.each(['bcdefghi', 'bcdefg', 'bcdefghijklmopqrstuvwxz'])(
    'a bomb of the levels a%s is refused',
    (levels) => {
      const { objects, diagnostics } = parseManifest('bomb.yaml', bomb(levels));
      expect(objects).toEqual([]);
      expect(diagnostics).toHaveLength(1);
      expect(diagnostics[0]).toMatchObject({ code: 'LimitExceeded', place: { file: 'bomb.yaml' } });
      expect(diagnostics[0]?.what).toMatch(/^alias expansion limit/);
    },
  );

  it('leaves the next document and its aliases alone', () => {
    const next = '---\napiVersion: v1\nkind: A\nmetadata: {name: &n x, labels: {app: *n}}\n';
    expect(parsed(bomb('bcdefghi') + next).objects).toEqual(['A x']);
  });

  it('adds up what the documents of one file expand to', () => {
    const document = '---\napiVersion: v1\nkind: A\nmetadata: {name: x}\na: &a [x, w, z]\nb: [*a, *a, *a]\n';
    const text = document.replace('name: x', 'name: w') + document;
    expect(parsed(text, { limits: { aliasExpansion: 400 } })).toMatchObject({
      objects: ['A w'],
      found: ['error LimitExceeded f.yaml:12:13 (2)'],
    });
  });

  it('does not charge a file for a document that was refused', () => {
    const document = '---\napiVersion: v1\nkind: A\nmetadata: {name: x}\na: &a [x, w, z]\nb: [*a, *a, *a]\n';
    const text = `${document}c: 1\nc: 2\n${document}`;
    expect(parsed(text, { limits: { aliasExpansion: 400 } })).toMatchObject({
      objects: ['A x'],
      found: ['error DuplicateKey f.yaml:8:1 (1)'],
    });
  });

  it('counts the text that aliases repeat, not only the nodes', () => {
    const text = `a: &a "${'x'.repeat(1000)}"\nb: [${Array(20).fill('*a').join()}]\n`;
    expect(parsed(text, { limits: { aliasExpansion: 15_000 } }).found).toEqual([
      'error LimitExceeded f.yaml:2:47 (1)',
    ]);
  });

  it('150 small aliases are accepted', () => {
    const env = Array.from({ length: 150 }, (_, index) => `  - {name: job-${index}, env: *env}\n`).join('');
    const text = `apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: legit}\nspec:\n  env: &env [{name: A, value: b}]\n  jobs:\n${env}`;
    const { objects, diagnostics } = parseManifest('legit.yaml', text);
    expect(diagnostics).toEqual([]);
    expect(objects[0]?.object.spec).toMatchObject({
      jobs: { 149: { name: 'job-149', env: [{ name: 'A', value: 'b' }] } },
    });
  });

  it.each([
    ['in its own list', 'a: &a [*a]'],
    ['in its own mapping', 'a: &a {b: *a}'],
    ['two levels down', 'a: &a {b: {c: [1, *a]}}'],
    ['of the same name as an earlier one', 'x: &a 1\nb: &a [*a]'],
  ])('an anchor %s is refused, not followed', (_, text) => {
    expect(parseManifest('f.yaml', text).diagnostics[0]).toMatchObject({
      code: 'RecursiveAlias',
      what: 'the alias `*a` stands inside its own anchor',
    });
  });
});
