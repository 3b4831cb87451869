import { describe, expect, test } from 'vitest';
import { anchorToHold, withHeldAnchor, withoutHeldAnchor } from '#core/held-anchor.ts';
import type { Json, KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';

const ANNOTATION = 'example.com/last';
const RULES = { anchorAnnotation: { field: 'last', annotation: ANNOTATION } };
const EARLIER = '2026-06-09T03:00:00Z';
const LATER = '2026-06-10T03:00:00Z';

function object(
  annotation: string | undefined,
  status: Json | undefined,
  managedFields: readonly ManagedFieldsEntry[] = [],
): KubeObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: {
      name: 'one',
      managedFields,
      ...(annotation === undefined ? {} : { annotations: { [ANNOTATION]: annotation } }),
    },
    ...(status === undefined ? {} : { status }),
  };
}

describe('an anchor that an annotation holds', () => {
  test.each<[string, string | undefined, Json | undefined, Json | undefined]>([
    ['stands in for an absent status', LATER, undefined, { last: LATER }],
    ['stands in for a status that is null', LATER, null, { last: LATER }],
    ['stands beside other fields', LATER, { phase: 'Fine' }, { phase: 'Fine', last: LATER }],
    ['counts where it is later', LATER, { last: EARLIER }, { last: LATER }],
    ['does not count where it is earlier', EARLIER, { last: LATER }, { last: LATER }],
    ['does not count where it says the same', '2026-06-10T03:00:00+00:00', { last: LATER }, { last: LATER }],
    ['is not taken for absent where it is garbage', 'soon', undefined, { last: 'soon' }],
    ['leaves garbage in the status', LATER, { last: 'soon' }, { last: 'soon' }],
    ['leaves a status that is no object', LATER, 'broken', 'broken'],
    ['is none where there is no annotation', undefined, { last: EARLIER }, { last: EARLIER }],
  ])('%s', (_how, annotation, status, wanted) => {
    expect(withHeldAnchor(RULES, object(annotation, status)).status).toEqual(wanted);
  });

  test('is nothing to kinds without such an annotation', () => {
    const given = object(LATER, { last: EARLIER });
    expect(withHeldAnchor({}, given)).toBe(given);
    expect(withoutHeldAnchor({}, given)).toBe(given);
    expect(anchorToHold({}, { last: LATER }, given)).toBeUndefined();
  });

  test('is taken out again, unless somebody is on record for the field', () => {
    const whole = withHeldAnchor(RULES, object(LATER, { phase: 'Fine' }));
    expect(withoutHeldAnchor(RULES, whole).status).toEqual({ phase: 'Fine' });
    const record = { manager: 'other', fieldsV1: { 'f:status': { 'f:last': {} } } };
    const written = object(LATER, { last: LATER }, [record]);
    expect(withoutHeldAnchor(RULES, written)).toBe(written);
    const another = object(LATER, { last: EARLIER });
    expect(withoutHeldAnchor(RULES, another)).toBe(another);
  });

  test.each<[string, Json, KubeObject, string | undefined]>([
    ['has to be held where the status was left out', { last: LATER }, object(undefined, undefined), LATER],
    ['has to be held where an older one stands', { last: LATER }, object(EARLIER, { last: EARLIER }), LATER],
    ['is kept by the status', { last: LATER }, object(undefined, { last: LATER }), undefined],
    ['is kept by the annotation', { last: LATER }, object(LATER, {}), undefined],
    ['is never moved back', { last: EARLIER }, object(LATER, {}), undefined],
    ['is nothing where no anchor was written', {}, object(undefined, {}), undefined],
  ])('%s', (_how, wanted, written, text) => {
    const fields = wanted as Readonly<Record<string, Json>>;
    const held = anchorToHold(RULES, fields, written);
    expect(held).toEqual(text === undefined ? undefined : { [ANNOTATION]: text });
  });
});
