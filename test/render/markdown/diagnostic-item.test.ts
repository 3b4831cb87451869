import { expect, test } from 'vitest';
import { diagnosticItem } from '#render/markdown/diagnostic-item.ts';
import {
  BAD_MINUTE,
  HOSTILE_TEXTS,
  hostileFinding,
  SECRET_FINDINGS,
  SECRETS,
  UNKNOWN_FIELD,
} from '#test/render/findings.ts';
import { prose, structureOf } from './parsed.ts';

test('a finding is one item with its place, severity, code and text', () => {
  expect(diagnosticItem(BAD_MINUTE)).toBe(
    '- `jobs/dump.yaml:12:13`: **error** InvalidSchedule: minute &#96;61&#96; cannot be read<br>why: &#96;61&#96; is not in 0 to 59<br>fix: write a value from 0 to 59\n',
  );
  const { place: _place, ...unplaced } = UNKNOWN_FIELD;
  expect(diagnosticItem(unplaced)).toBe('- **warning** UnknownField: spec.paused is no field of CronJob\n');
});

test.each([...HOSTILE_TEXTS, '@all-hands', '#1', '```', '|', '- a'])(
  '%j makes nothing of its own',
  (text) => {
    const item = diagnosticItem(hostileFinding(text));
    expect(structureOf(item)).toEqual(structureOf(diagnosticItem(hostileFinding('nightly'))));
    expect(prose(item)).not.toMatch(/@\w|#\d|https?:\/\//);
  },
);

test('pub-071: no secret is told', () => {
  const text = SECRET_FINDINGS.map(diagnosticItem).join('');
  for (const secret of SECRETS) expect(text).not.toContain(secret);
  expect(text).toContain('(masked 1)');
});
