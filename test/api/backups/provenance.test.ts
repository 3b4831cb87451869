import { expect, it } from 'vitest';
import { provenanceOf } from '#api/backups/provenance.ts';

const LONG = 'a'.repeat(70);

it('a Backup says by labels which plan, kind and name it is of', () => {
  const application = { apiGroup: 'apps.cozystack.io', kind: 'Redis', name: 'sessions' };
  expect(provenanceOf({ plan: 'nightly', application })).toEqual({
    labels: {
      'backups.cozystack.io/plan': 'nightly',
      'backups.cozystack.io/application-kind': 'Redis',
      'backups.cozystack.io/application-name': 'sessions',
    },
    annotations: {},
  });
});

it('a name that no label can hold is cut, and stands whole in an annotation', () => {
  const application = { apiGroup: 'apps.cozystack.io', kind: 'Redis', name: LONG };
  const { labels, annotations } = provenanceOf({ plan: undefined, application });
  const label = labels['backups.cozystack.io/application-name'] ?? '';
  expect(label).toMatch(/^a{54}-[0-9a-f]{8}$/);
  expect(labels).not.toHaveProperty('backups.cozystack.io/plan');
  expect(annotations).toEqual({ 'minutehand.dev/full-name': LONG });
});

it('what no label value may look like is left out', () => {
  const application = { apiGroup: 'apps.cozystack.io', kind: 'Redis', name: 'sessions' };
  expect(provenanceOf({ plan: 'not a label', application }).labels).not.toHaveProperty(
    'backups.cozystack.io/plan',
  );
});
