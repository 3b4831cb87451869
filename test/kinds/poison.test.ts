import { describe, expect, test } from 'vitest';
import { canonicalJson, isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, KubeObject } from '#core/object/object.ts';
import { loadScenario } from '#test/scenarios/support/scenario.ts';
import { decideOne } from './support/decide-one.ts';

/** Scenarios whose objects have fields of every kind; each is poisoned beside two whole schedules. */
const VICTIMS = [
  'cron-job/forbid-holds-the-slot-until-the-job-ends',
  'cron-job/history-defaults-keep-three-and-one',
  'cron-job/time-to-live-removes-a-finished-job',
  'etcd-defrag-policy/forbid-is-the-default-and-skips-for-good',
  'etcd-defrag-policy/rule-with-a-gap-of-the-default-passes',
  'etcd-defrag-policy/history-ties-go-by-name',
];

const POISONS: readonly (readonly [string, Json])[] = [
  ['null', null],
  ['a list', []],
  ['a mapping', {}],
  ['0', 0],
  ['an empty text', ''],
  ['true', true],
  ['a text of a megabyte', 'x'.repeat(1_000_000)],
];

const NOW = '2026-06-10T03:00:10Z';

const WHOLE: readonly KubeObject[] = [
  'cron-job/due-slot-starts-a-job',
  'etcd-defrag-policy/due-slot-stamps-a-run',
]
  .flatMap((name) => loadScenario(name).objects)
  .map((object) => ({
    ...object,
    metadata: { ...object.metadata, name: 'whole', uid: `uid-whole-${object.kind}` },
  }));

/** Metadata has its types checked when it is read; spec and status come as they are. */
function pathsOf(value: Json, path: FieldPath): FieldPath[] {
  const members: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? value.map((item: Json, index): readonly [number, Json] => [index, item])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return [path, ...members.flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

function poisoned(value: Json, [key, ...rest]: FieldPath, poison: Json): Json {
  if (key === undefined) return poison;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (index === key ? poisoned(item, rest, poison) : item));
  if (!isObject(value)) return value;
  return { ...value, [key]: poisoned(value[key] ?? null, rest, poison) };
}

/** What is planned for the two whole schedules. */
function planOfOthers(objects: readonly KubeObject[]): string {
  const { changeSet } = decideOne([...objects, ...WHOLE], NOW);
  return canonicalJson(changeSet.schedules.filter(({ key }) => key.name === 'whole'));
}

function variants(object: KubeObject): readonly KubeObject[] {
  return (['spec', 'status'] as const).flatMap((part) => {
    const value = object[part];
    if (value === undefined) return [];
    return pathsOf(value, []).flatMap((path) =>
      POISONS.map(([, poison]): KubeObject => ({ ...object, [part]: poisoned(value, path, poison) })),
    );
  });
}

describe('a poisoned field costs one object at most (pub-061)', () => {
  const undisturbed = planOfOthers([]);

  test('the whole schedules start their runs', () => {
    expect(undisturbed).toContain('whole-29684340');
    expect(undisturbed).toContain('whole-1781060400');
  });

  test.each(VICTIMS)('%s', (name) => {
    const { objects } = loadScenario(name);
    expect(planOfOthers(objects)).toBe(undisturbed);
    let tried = 0;
    for (const [index, victim] of objects.entries()) {
      for (const variant of variants(victim)) {
        expect(planOfOthers(objects.with(index, variant))).toBe(undisturbed);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(50);
  });
});
