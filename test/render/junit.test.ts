import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '#core/diagnostic.ts';
import { type CheckedObject, junitText } from '#render/junit.ts';
import { repositoryPaths } from '#render/repository-path.ts';
import {
  BAD_MINUTE,
  DUMP,
  HOSTILE_TEXTS,
  hostileFinding,
  placeAt,
  SECRET_FINDINGS,
  SECRETS,
  UNKNOWN_FIELD,
} from './findings.ts';

const pathOf = repositoryPaths({ root: '/clone' });

const CHECKED: readonly CheckedObject[] = [
  { object: DUMP, file: 'jobs/dump.yaml' },
  { object: { ...DUMP, name: 'fine' }, file: 'jobs/dump.yaml' },
];

/** The root of the document; a document that is not well-formed throws. */
function parsed(diagnostics: readonly Diagnostic[], checked = CHECKED): XmlElement {
  const { root } = parseXml(junitText(diagnostics, { verb: 'validate', pathOf, checked }));
  if (root === null) throw new Error('the document has no root');
  return root;
}

function below(element: XmlElement, name: string): readonly XmlElement[] {
  const children = element.children.filter((child) => child instanceof XmlElement);
  return children.flatMap((child) => [...(child.name === name ? [child] : []), ...below(child, name)]);
}

test('errors fail the test case of their object, and the rest is its output', () => {
  const second: Diagnostic = {
    ...BAD_MINUTE,
    code: 'InvalidField',
    place: placeAt(13, 1),
    what: 'spec.x is odd',
  };
  expect(
    junitText([UNKNOWN_FIELD, second, BAD_MINUTE], { verb: 'validate', pathOf, checked: CHECKED }),
  ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="minutehand validate" tests="2" failures="1" errors="0" skipped="0">
  <testsuite name="jobs/dump.yaml" tests="2" failures="1" errors="0" skipped="0">
    <testcase name="CronJob harbor/dump" classname="jobs/dump.yaml" file="jobs/dump.yaml">
      <failure message="minute \`61\` cannot be read (and 1 more)" type="InvalidSchedule">jobs/dump.yaml:12:13: error InvalidSchedule: minute \`61\` cannot be read
  why: \`61\` is not in 0 to 59
  fix: write a value from 0 to 59
jobs/dump.yaml:13:1: error InvalidField: spec.x is odd
  why: \`61\` is not in 0 to 59
  fix: write a value from 0 to 59</failure>
      <system-out>jobs/dump.yaml:9:3: warning UnknownField: spec.paused is no field of CronJob</system-out>
    </testcase>
    <testcase name="CronJob harbor/fine" classname="jobs/dump.yaml" file="jobs/dump.yaml"/>
  </testsuite>
</testsuites>
`);
});

test('what is about a whole file, or about none, has a test case of its own', () => {
  const file: Diagnostic = {
    code: 'InvalidYaml',
    severity: 'error',
    place: placeAt(1, 1, 'b.yaml'),
    what: 'odd',
  };
  const none: Diagnostic = { code: 'ListUnreadable', severity: 'error', what: 'jobs could not be read' };
  const own: Diagnostic = { code: 'NameTaken', severity: 'error', object: DUMP, what: 'the name is taken' };
  const cases = below(parsed([file, none, own]), 'testcase').map(({ attributes, children }) => [
    attributes['classname'],
    attributes['name'],
    children.length > 0,
  ]);
  expect(cases).toEqual([
    ['b.yaml', 'the file as a whole', true],
    ['jobs/dump.yaml', 'CronJob harbor/dump', true],
    ['jobs/dump.yaml', 'CronJob harbor/fine', false],
    ['the run', 'the file as a whole', true],
  ]);
});

test('files of the tree are named from its root', () => {
  const finding = { ...BAD_MINUTE, place: placeAt(1, 1, '/clone/jobs/dump.yaml') };
  const suites = below(parsed([finding]), 'testsuite').map(({ attributes }) => attributes['name']);
  expect(suites).toEqual(['jobs/dump.yaml']);
  expect(parsed([{ ...BAD_MINUTE, place: placeAt(1, 1, '-') }], []).text).toContain('-:1:1: error');
});

test('nothing checked and nothing found is an empty document', () => {
  expect(parsed([], []).attributes).toMatchObject({ tests: '0', failures: '0' });
});

test('the same findings give the same bytes in any order', () => {
  const text = (diagnostics: readonly Diagnostic[], checked: readonly CheckedObject[]): string =>
    junitText(diagnostics, { verb: 'validate', pathOf, checked });
  const all = [BAD_MINUTE, UNKNOWN_FIELD, ...SECRET_FINDINGS];
  expect(text([...all].reverse(), [...CHECKED].reverse())).toBe(text(all, CHECKED));
});

describe('texts of objects', () => {
  test.each(HOSTILE_TEXTS)('%j makes no element and leaves the document well-formed', (text) => {
    const hostile = hostileFinding(text);
    const checked = [{ object: { ...DUMP, name: text }, file: `jobs/${text}.yaml` }];
    const root = parsed([hostile, { ...hostile, severity: 'warning' }], checked);
    const elements = ['testsuite', 'testcase', 'failure', 'system-out'].map(
      (name) => below(root, name).length,
    );
    expect(elements).toEqual([1, 1, 1, 1]);
    expect(below(root, 'failure')[0]?.children).toHaveLength(1);
    expect(root.text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\ufffe\uffff]/u);
  });

  test('attach no file of the machine', () => {
    const text = junitText([hostileFinding('[[ATTACHMENT|/etc/passwd]]')], {
      verb: 'validate',
      pathOf,
      checked: [],
    });
    expect(text).not.toContain('[[');
    expect(text).toContain('[\\x5bATTACHMENT');
  });

  test('pub-071: tell no secret', () => {
    const text = junitText(SECRET_FINDINGS, { verb: 'validate', pathOf, checked: CHECKED });
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    expect(text).toContain('(masked 1)');
  });
});
