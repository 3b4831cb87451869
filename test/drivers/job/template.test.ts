import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { renderTemplate } from '#drivers/job/template.ts';

const CONTEXT: JsonObject = {
  Application: {
    metadata: { name: 'sessions', labels: { tier: 'gold' } },
    spec: { shards: [1, 2], note: null },
  },
  Parameters: { bucket: 'silver', 'storage-class': 'cold' },
  Release: { Name: 'sessions', Namespace: 'shop' },
  Mode: 'backup',
  BackupJob: { Name: 'nightly-1', Namespace: 'shop' },
  Backup: null,
};

/** A text twice as long with each round. */
const DOUBLED =
  '{% assign x = "0123456789" %}{% for i in (1..100) %}{% assign x = x | append: x %}{% endfor %}{{ x }}';
const COMMAS = '{% assign a = "," %}{% for i in (1..12) %}{% assign a = a | append: a %}{% endfor %}';
const STEPS = 'more than 10000 steps';
const WORK = 'more work than on 262144 characters';

describe('what a template can say', () => {
  it.each([
    ['{{ Release.Name }}.{{ Release.Namespace }}.svc', 'sessions.shop.svc'],
    ['{{ Application.metadata.labels.tier | upcase }}', 'GOLD'],
    ['{{ Parameters["storage-class"] }}', 'cold'],
    ['{{ Parameters.region | default: "eu" }}', 'eu'],
    ['{% if Backup %}{{ Backup.Name }}{% else %}{{ BackupJob.Name }}{% endif %}', 'nightly-1'],
    ['{% if Backup.Name == "x" %}a{% else %}b{% endif %}', 'b'],
    ['{% case Mode %}{% when "restore" %}in{% else %}out{% endcase %}', 'out'],
    ['{{ Application.spec.shards | join: "," }}', '1,2'],
    ['{{ Application.metadata | json }}', '{"name":"sessions","labels":{"tier":"gold"}}'],
    [
      '{% for pair in Parameters %}{{ pair[0] }}={{ pair[1] }};{% endfor %}',
      'bucket=silver;storage-class=cold;',
    ],
    ['$(VAR) {{ "{{" }} %}', '$(VAR) {{ %}'],
    ['{{ "a b/c" | url_encode }}', 'a+b%2Fc'],
  ])('%s', (template, text) => {
    expect(renderTemplate(template, CONTEXT)).toEqual({ ok: true, text });
  });
});

describe('what a template cannot say', () => {
  it.each([
    ['an unknown name', '{{ Nope }}', 'undefined variable: Nope'],
    ['an unknown member', '{{ Parameters.region }}', 'undefined variable: Parameters.region'],
    ['a member of nothing', '{{ Backup.Name }}', 'undefined variable: Backup.Name'],
    ['an unknown filter', '{{ Mode | shout }}', 'undefined filter: shout'],
    ['an unknown tag', '{% shout %}', 'tag "shout" not found'],
    ['an open brace', '{{ Mode', 'output "{{ Mode" not closed'],
    ['an open tag', '{% if Mode %}x', 'tag {% if Mode %} not closed'],
    ['a file by render', '{% render "/etc/hostname" %}', 'tag "render" not found'],
    ['a file by include', '{% include "../package.json" %}', 'tag "include" not found'],
    ['a file by layout', '{% layout "page" %}', 'tag "layout" not found'],
    ['the clock', '{{ "now" | date: "%Y" }}', 'undefined filter: date'],
    ['the clock by today', '{{ "today" | date_to_xmlschema }}', 'undefined filter: date_to_xmlschema'],
    ['the dice', '{{ Application.spec.shards | sample }}', 'undefined filter: sample'],
    [
      'an expression in a text',
      '{{ Application.spec.shards | where_exp: "i", "i > 1" }}',
      'undefined filter: where_exp',
    ],
    ['the environment', '{{ process.env.HOME }}', 'undefined variable: process'],
    ['a constructor', '{{ Application.constructor.name }}', 'undefined variable: Application.constructor'],
    ['a prototype', '{{ Application.__proto__ }}', 'undefined variable: Application.__proto__'],
  ])('%s', (_name, template, problem) => {
    const rendered = renderTemplate(template, CONTEXT);
    expect(rendered).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });
});

describe('a template that grows without bound ends', () => {
  it.each([
    ['a range', '{% for i in (1..9999999999) %}x{% endfor %}', WORK],
    ['a range without numbers', '{% for i in (1..Mode) %}x{% endfor %}', WORK],
    [
      'a backward range gives nothing back',
      '{% for i in (9..-9999999) %}{% endfor %}{% for i in (1..9999999) %}{% endfor %}',
      WORK,
    ],
    ['loops in loops', '{% for i in (1..1000) %}{% for j in (1..1000) %}{% endfor %}{% endfor %}', STEPS],
    [
      'loops over a list in loops',
      `${COMMAS}{% assign l = a | append: "x" | split: "," %}{% for i in l %}{% for j in l %}{% endfor %}{% endfor %}`,
      STEPS,
    ],
    ['a text appended to itself', DOUBLED, WORK],
    ['a text replaced by itself', `${COMMAS}{{ a | replace: ",", a }}`, WORK],
    ['a text joined by itself', `${COMMAS}{{ a | split: "" | join: a }}`, WORK],
    ['a chain of filters', `${COMMAS}{{ a |${' url_encode |'.repeat(400)} size }}`, WORK],
    [
      'a search through a long text',
      `${COMMAS}{% for i in (1..200) %}{% if a contains "x" %}{% endif %}{% endfor %}`,
      WORK,
    ],
    ['a long output', `{% for i in (1..900) %}${'x'.repeat(100)}{% endfor %}`, 'more than 65536 characters'],
    ['a long template', 'x'.repeat(16 * 1024 + 1), 'parse length limit exceeded'],
  ])('%s', (_name, template, problem) => {
    const start = performance.now();
    const rendered = renderTemplate(template, CONTEXT);
    expect(rendered).toEqual({ ok: false, problem: expect.stringContaining(problem) });
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('tags in tags without end', () => {
    expect(renderTemplate('{% if Mode %}'.repeat(1200), CONTEXT).ok).toBe(false);
  });
});

it('one render leaves nothing behind for the next', () => {
  const template = '{% assign seen = 1 %}{% increment count %}';
  expect(renderTemplate(template, CONTEXT)).toEqual({ ok: true, text: '0' });
  expect(renderTemplate(template, CONTEXT)).toEqual({ ok: true, text: '0' });
  expect(renderTemplate('{{ seen }}', CONTEXT).ok).toBe(false);
});
