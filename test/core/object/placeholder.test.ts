import { describe, expect, test } from 'vitest';
import { placeholderIn } from '#core/object/placeholder.ts';

describe('what another tool has yet to put in', () => {
  test.each([
    [`\${CRON}`, `the variable \${CRON}`],
    [`0 \${HOUR:=3} * * *`, `the variable \${HOUR:=3}`],
    [`\${CRON:=0 3 * * *}`, `the variable \${CRON:=0 3 * * *}`],
    [`a-\${b-$(c)}`, `the variable \${b-$(c)}`],
    [`\${OPEN`, `the variable \${OPEN`],
    ['{{ .Values.schedule }}', 'the template {{ .Values.schedule }}'],
    [`{{- include "x" . -}} \${Y}`, 'the template {{- include "x" . -}}'],
    ['{% if x %}a{% endif %}', 'the template {% if x %}'],
    ['{{ open', 'the template {{ open'],
  ])('%j holds %s', (text, what) => {
    expect(placeholderIn(text)?.what).toBe(what);
  });

  test.each([
    '',
    '0 3 * * *',
    '$(NAME)',
    `$\${ESCAPED}`,
    `\${}`,
    `\${1}`,
    '$HOME',
    '{a}',
    'H {x} * * *',
    '%}',
  ])('%j is text as it stands', (text) => {
    expect(placeholderIn(text)).toBeUndefined();
  });

  test('is cut where it is long', () => {
    expect(placeholderIn(`\${A:=${'x'.repeat(5000)}}`)?.what).toHaveLength('the variable '.length + 60);
  });

  test('names the tool that puts it in', () => {
    expect(placeholderIn(`\${A}`)?.fix).toContain('flux build kustomization');
    expect(placeholderIn('{{ a }}')?.fix).toContain('helm template');
  });
});
