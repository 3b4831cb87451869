import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { renderTemplate } from '#drivers/job/template.ts';

const CONTEXT: JsonObject = {
  Application: {
    metadata: { name: 'sessions', labels: { tier: 'gold' } },
    spec: { shards: [1, 2], note: null, volumes: [{ name: 'data', size: 5 }] },
  },
  Parameters: { bucket: 'silver', 'storage-class': 'cold' },
  Release: { Name: 'sessions', Namespace: 'shop' },
  Mode: 'backup',
  BackupJob: { Name: 'nightly-1', Namespace: 'shop' },
  Backup: null,
};

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
    ['{{ Application.spec.note }}|{{ Application.spec.shards }}', '|12'],
    ['{{ Application.spec.volumes | where: "name", "data" | map: "size" | first }}', '5'],
    ['{{ Application.spec.volumes | find: "name", "data" | json }}', '{"name":"data","size":5}'],
    ['{{ Application.spec.volumes | has: "name", "logs" }}', 'false'],
    ['{{ Application.spec.volumes | sum: "size" }} {{ 7 | divided_by: 2 }} {{ 7 | modulo: 4 }}', '5 3.5 3'],
    ['{{ Parameters.size }} {{ Parameters | size }} {{ Mode.size }}', '2 0 6'],
    ['{% if Parameters == empty %}a{% elsif not Mode contains "back" %}b{% else %}c{% endif %}', 'c'],
  ])('%s', (template, text) => {
    expect(renderTemplate(CONTEXT)(template)).toEqual({ ok: true, text });
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
    [
      'an object',
      '{{ Application }}',
      'it renders to an object: name a member of it, or use the filter json',
    ],
    ['an object by echo', '{% echo Application.metadata %}', 'it renders to an object'],
    ['a list of objects', '{{ Application.spec.volumes }}', 'it renders to an object'],
    ['a text of an object', '{{ Application | append: "x" }}', 'append was given an object'],
    ['a text with an object', '{{ "x" | append: Application }}', 'append was given an object'],
    ['objects in a row', '{{ Application.spec.volumes | join: "," }}', 'join was given an object'],
    ['a part of an object', '{{ Application | slice: 0, 4 }}', 'slice was given an object'],
    ['a number by nothing', '{{ 1 | divided_by: 0 }}', 'divided_by gives no number (Infinity)'],
    ['the rest by nothing', '{{ 1 | modulo: 0 }}', 'modulo gives no number (NaN)'],
    ['the number of a word', '{{ Mode | to_integer }}', 'to_integer gives no number (NaN)'],
    ['a sum without end', '{{ "1e999" | split: "," | sum }}', 'sum gives no number (Infinity)'],
    ['JSON with blanks', '{{ Application | json: 2 }}', 'json takes nothing more'],
    ['a prototype', '{{ Application.__proto__ }}', 'undefined variable: Application.__proto__'],
  ])('%s', (_name, template, problem) => {
    const rendered = renderTemplate(CONTEXT)(template);
    expect(rendered).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });
});

it('one render leaves nothing behind for the next', () => {
  const render = renderTemplate(CONTEXT);
  const template = '{% assign seen = 1 %}{% increment count %}';
  expect(render(template)).toEqual({ ok: true, text: '0' });
  expect(render(template)).toEqual({ ok: true, text: '0' });
  expect(render('{{ seen }}').ok).toBe(false);
});
