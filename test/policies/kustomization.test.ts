import { describe, expect, test } from 'vitest';
import { typesOf } from '#core/types-of.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { FOLDERS, fileNames, kustomization, objectAt, objects, policyFiles, texts } from './read-policies.ts';

const ADMISSION = policyFiles('admission');
const OURS = [...typesOf(KINDS, DRIVERS), ...DRIVERS.flatMap(({ creates }) => creates)];
const PLURALS = new Set([...OURS.map(({ plural }) => plural), 'events']);

describe('the kustomizations of policies/', () => {
  test('name every folder', () => {
    expect(texts(kustomization('.')['resources'])).toEqual([...FOLDERS]);
  });

  test.each(FOLDERS)('name every file of %s, and no other', (folder) => {
    const files = fileNames(folder).filter((name) => name !== 'kustomization.yaml');
    expect([...texts(kustomization(folder)['resources'])].sort()).toEqual([...files].sort());
  });
});

describe('the files of policies/admission', () => {
  test.each(ADMISSION)('hold one policy and its binding: $path', ({ path, documents }) => {
    const name = path.replace(/^admission\/(.*)\.yaml$/, 'minutehand-$1');
    expect(documents).toMatchObject([
      { kind: 'ValidatingAdmissionPolicy', metadata: { name } },
      { kind: 'ValidatingAdmissionPolicyBinding', metadata: { name }, spec: { policyName: name } },
    ]);
  });

  test.each(ADMISSION)('look at types of ours and no other: $path', ({ documents }) => {
    const rules = objects(objectAt(documents[0], 'spec', 'matchConstraints')['resourceRules']);
    expect(rules).not.toEqual([]);
    const plurals = rules.flatMap(({ resources }) => texts(resources).map((name) => name.split('/')[0]));
    expect(plurals.filter((plural) => !PLURALS.has(plural ?? ''))).toEqual([]);
    expect(
      rules.flatMap(({ apiGroups, apiVersions }) => [...texts(apiGroups), ...texts(apiVersions)]),
    ).not.toContain('*');
  });

  test.each(ADMISSION)(
    'deny only where they can be relied on, and warn only where they cannot: $path',
    ({ documents }) => {
      const { failurePolicy } = objectAt(documents[0], 'spec');
      const actions = texts(objectAt(documents[1], 'spec')['validationActions']);
      expect([failurePolicy, ...actions]).toEqual(
        failurePolicy === 'Fail' ? ['Fail', 'Deny'] : ['Ignore', 'Warn'],
      );
    },
  );
});
