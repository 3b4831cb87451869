import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { renderTemplate } from '#drivers/job/template.ts';

const COUNT = 100_000;
const NUMBERS = Array.from({ length: COUNT }, (_, index) => index);
const CONTEXT: JsonObject = {
  Application: {
    map: Object.fromEntries(NUMBERS.map((index) => [`key-${index}`, index])),
    list: NUMBERS.slice(0, COUNT / 2).map((index) => ({ name: `name-${index}`, rank: index })),
    numbers: NUMBERS,
    text: 'a'.repeat(COUNT),
    nested: JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`),
    keys: { ['k'.repeat(COUNT)]: 1 },
  },
  Mode: 'backup',
};

/** A text twice as long with each round. */
const DOUBLED =
  '{% assign x = "0123456789" %}{% for i in (1..100) %}{% assign x = x | append: x %}{% endfor %}{{ x }}';
const COMMAS = '{% assign a = "," %}{% for i in (1..12) %}{% assign a = a | append: a %}{% endfor %}';
const STEPS = 'more than 10000 steps';
const WORK = 'more work than on 524288 characters';

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
    const rendered = renderTemplate(CONTEXT)(template);
    expect(rendered).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });

  it('tags in tags without end', () => {
    expect(renderTemplate(CONTEXT)('{% if Mode %}'.repeat(1200)).ok).toBe(false);
  });
});

function rounds(body: string): string {
  return `{% for i in (1..3000) %}${body}{% endfor %}`;
}

describe('looking through much, again and again, ends by what is counted', () => {
  it.each([
    ['has', '{% assign x = Application.list | has: "name", "none" %}'],
    ['find', '{% assign x = Application.list | find: "name", "none" %}'],
    ['where', '{% assign x = Application.list | where: "rank", -1 %}'],
    ['reject', '{% assign x = Application.list | reject: "rank", -1 %}'],
    ['sum', '{% assign x = Application.numbers | sum %}'],
    ['sum of members', '{% assign x = Application.list | sum: "rank" %}'],
    ['sort', '{% assign x = Application.list | sort: "name" %}'],
    ['map', '{% assign x = Application.list | map: "name" %}'],
    ['map by a long path', `{% assign x = Application.list | map: "${'a.'.repeat(300)}a" %}`],
    ['uniq', '{% assign x = Application.numbers | uniq %}'],
    ['compact', '{% assign x = Application.numbers | compact %}'],
    ['reverse', '{% assign x = Application.numbers | reverse %}'],
    ['concat', '{% assign x = Application.numbers | concat: Application.numbers %}'],
    ['the end of a text', '{% assign x = Application.text | slice: -1 %}'],
    ['url_encode', '{% assign x = Application.text | url_encode %}'],
    ['a number in a text', '{% assign x = Application.text | plus: 1 %}'],
    ['join of lists in lists', '{% assign x = Application.nested | join: "" %}'],
    ['json', '{% assign x = Application.list | json %}'],
    ['json with long keys', '{% assign x = Application.keys | json %}'],
    ['the size of an object', '{% assign x = Application.map.size %}'],
    ['whether an object is empty', '{% if Application.map == empty %}{% endif %}'],
    ['whether lists are equal', '{% if Application.numbers == Application.numbers %}{% endif %}'],
    ['which list is less', '{% if Application.numbers < Application.numbers %}{% endif %}'],
    ['whether a list contains it', '{% if Application.numbers contains "none" %}{% endif %}'],
    ['the cases of a list', '{% case Application.numbers %}{% when Application.numbers %}{% endcase %}'],
    ['the first of an object', '{% for pair in Application.map limit: 1 %}{% endfor %}'],
    ['the first of a list', '{% for item in Application.list limit: 1 %}{% endfor %}'],
    ['conditions without end', `{% if ${'1 and '.repeat(2000)} 1 %}{% endif %}`],
    ['operators without end', `{{ ${'1 and '.repeat(2000)} nil }}`],
    ['denials without end', `{{ ${'not '.repeat(2000)} true }}`],
    ['arguments without end', `{% assign x = 1 | plus: ${'1, '.repeat(2000)} 1 %}`],
    ['cases without end', `{% case 1 %}{% when ${'2, '.repeat(2000)} 3 %}{% endcase %}`],
    ['a cycle without end', `{% cycle ${'"", '.repeat(2000)} "" %}`],
  ])('%s', (_name, body) => {
    const rendered = renderTemplate(CONTEXT)(rounds(body));
    expect(rendered).toEqual({ ok: false, problem: expect.stringContaining(WORK) });
  });

  /** A list that tells how often something was read from it. */
  function watched(reads: { count: number }): unknown {
    return new Proxy(NUMBERS, {
      get(target, key, receiver): unknown {
        reads.count += 1;
        return Reflect.get(target, key, receiver);
      },
    });
  }

  it.each(['has: "x", 1', 'find: "x", 1', 'sum', 'where: "x"', 'map: "x"', 'sort', 'join', 'uniq', 'json'])(
    '%s reads no more than what is counted',
    (filter) => {
      const reads = { count: 0 };
      const context = { list: watched(reads) } as JsonObject;
      const rendered = renderTemplate(context)(rounds(`{% assign x = list | ${filter} %}`));
      expect(rendered.ok).toBe(false);
      expect(reads.count).toBeLessThan(5 * 512 * 1024);
    },
  );
});

describe('the templates of one order share what they may do', () => {
  const template = '{% for i in (1..1000) %}{% assign x = "0123456789" | upcase %}{% endfor %}';

  it('a template that may be rendered once may not be rendered without end', () => {
    const render = renderTemplate(CONTEXT);
    expect(render(template).ok).toBe(true);
    const ends = Array.from({ length: 20 }, () => render(template)).filter(({ ok }) => !ok);
    expect(ends.length).toBeGreaterThan(10);
    expect(ends[0]).toEqual({ ok: false, problem: expect.stringContaining('in the templates of one order') });
  });

  it('each order has its own', () => {
    const ends = Array.from({ length: 20 }, () => renderTemplate(CONTEXT)(template));
    expect(ends.every(({ ok }) => ok)).toBe(true);
  });
});
