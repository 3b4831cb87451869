import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseConfig } from '#cli/config.ts';

test('the configuration that the README shows is one, and shows every setting', () => {
  const readme = readFileSync('README.md', 'utf8');
  const section = readme.slice(readme.indexOf('## Configuration'));
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(section) ?? [];
  const read = parseConfig('README.md', text);
  expect(read.diagnostics).toEqual([]);
  const { properties } = JSON.parse(readFileSync('examples/config.schema.json', 'utf8'));
  const settings = Object.entries(properties).flatMap(([name, field]) => [
    name,
    ...Object.keys(Object(field).properties ?? {}),
  ]);
  expect(settings.filter((name) => !new RegExp(`^ *${name}:`, 'm').test(text))).toEqual([]);
});
