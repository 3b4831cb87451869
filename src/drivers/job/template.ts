import {
  CaseTag,
  Context,
  defaultOperators,
  type Emitter,
  evalToken,
  type FilterImplOptions,
  ForTag,
  Liquid,
  type Operators,
  type Tag,
  toValue,
  toValueSync,
} from 'liquidjs';
import type { JsonObject } from '#core/object/object.ts';
import type { Rendered, RenderTemplate } from '#core/run/driver.ts';
import {
  lengthOf,
  openBudget,
  type TemplateBudget,
  weigh,
  weighEntries,
  weighWhole,
} from './template-budget.ts';

/** Characters of a template, and of what it renders to. */
const MAX_TEMPLATE = 16 * 1024;
const MAX_OUTPUT = 64 * 1024;

/** What leaves the template (`render`, `include`, `layout`) is not there, nor what is for pages (`tablerow`). */
const TAGS = [
  ...['#', 'assign', 'break', 'case', 'comment', 'continue', 'cycle', 'decrement', 'echo', 'for', 'if'],
  ...['increment', 'liquid', 'raw', 'unless'],
];

/*
 * Filters that are pure and whose work is bounded by what they are given: none reads a clock, draws lots, or evaluates
 * a text as an expression.
 */

/** They take one look, however much they are given. */
const GLANCES = ['default', 'first', 'last', 'size'];
/** They go through a list, and may ask each item for a member. */
const LIST_FILTERS = [
  ...['compact', 'concat', 'find', 'has', 'map', 'reject', 'reverse', 'slice', 'sort', 'sum', 'uniq'],
  'where',
];
/** They make a text or a number of what they are given. */
const TEXT_FILTERS = [
  ...['abs', 'append', 'at_least', 'at_most', 'base64_decode', 'base64_encode', 'capitalize', 'ceil'],
  ...['divided_by', 'downcase', 'floor', 'join', 'lstrip', 'minus', 'modulo', 'plus', 'prepend', 'remove'],
  ...['remove_first', 'remove_last', 'replace', 'replace_first', 'replace_last', 'round', 'rstrip', 'sha256'],
  ...['split', 'strip', 'strip_newlines', 'times', 'to_integer', 'truncate', 'upcase', 'url_decode'],
  'url_encode',
];

/** A mistake in a template is told in one line. */
const MAX_PROBLEM = 300;

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>;
type TagClass = Liquid['tags'][string];

/** An object has no text of its own, and what a number is not, no text may hold. */
function refuseOdd(value: unknown, what: string): void {
  const plain = toValue(value);
  if (Array.isArray(plain)) for (const item of plain) refuseOdd(item, what);
  else if (typeof plain === 'object' && plain !== null)
    throw new Error(`${what} an object: name a member of it, or use the filter json`);
  else if (typeof plain === 'number' && !Number.isFinite(plain))
    throw new Error(`${what} no number (${plain})`);
}

function asJson(this: ThisParameterType<Handler>, value: unknown, ...more: readonly unknown[]): unknown {
  if (more.length > 0) throw new Error('json takes nothing more');
  weighWhole(value, this.context.memoryLimit.use);
  return JSON.stringify(value);
}

/** Counts what a filter is given before it looks at it, and what it has made. */
function bounded(name: string, handler: Handler): Handler {
  const isText = TEXT_FILTERS.includes(name);
  return function* apply(value: unknown, ...args: readonly unknown[]): Generator {
    const { use } = this.context.memoryLimit;
    const isList = Array.isArray(value);
    const rounds = isList && !isText ? value.length : 1;
    use(1);
    for (const arg of args) weigh(arg, (amount) => use(amount * rounds));
    weigh(value, use);
    if (isText || (name === 'slice' && !isList))
      for (const given of [value, ...args]) refuseOdd(given, `${name} was given`);
    const made: unknown = yield handler.call(this, value, ...args);
    if (typeof made === 'number') refuseOdd(made, `${name} gives`);
    use(lengthOf(made));
    return made;
  };
}

type WeighSides = (left: unknown, right: unknown, work: TemplateBudget['work']) => void;

/** Where both have an extent both are gone through; `empty` looks at the keys of an object. */
const weighEqual: WeighSides = (left, right, work) => {
  const isSized = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value);
  const weighSide = isSized(left) && isSized(right) ? weigh : weighEntries;
  for (const side of [left, right]) weighSide(side, work);
};

const weighBoth: WeighSides = (left, right, work) => {
  for (const side of [left, right]) weigh(side, work);
};

const WEIGHED: Readonly<Record<string, WeighSides>> = {
  '==': weighEqual,
  '!=': weighEqual,
  '<': weighBoth,
  '>': weighBoth,
  '<=': weighBoth,
  '>=': weighBoth,
  contains: weighBoth,
};

function boundedOperators(): Operators {
  const bounded = Object.entries(defaultOperators).map(([name, operator]): [string, Operators[string]] => [
    name,
    // `not` has one side: the context stands in the place of the other.
    (left: unknown, right: unknown, context: Context = right as Context) => {
      const { use } = context.memoryLimit;
      use(1);
      WEIGHED[name]?.(left, right, use);
      return operator(left, right, context);
    },
  ]);
  return Object.fromEntries(bounded);
}

/** What a tag goes through beside its own words, before it goes through it. */
function weighTag(tag: Tag, context: Context): void {
  const { use } = context.memoryLimit;
  use(tag.token.end - tag.token.begin);
  if (tag instanceof ForTag) weighEntries(toValueSync(evalToken(tag.collection, context)), use);
  if (tag instanceof CaseTag) {
    const rounds = tag.branches.reduce((count, { values }) => count + values.length, 0);
    weigh(toValueSync(tag.value.value(context, true)), (amount) => use(amount * rounds));
  }
}

function boundedTag(known: TagClass): TagClass {
  return new Proxy(known, {
    construct(Known, args: ConstructorParameters<TagClass>): Tag {
      const tag = new Known(...args);
      const render = tag.render.bind(tag);
      tag.render = (context, emitter) => {
        weighTag(tag, context);
        return render(context, emitter);
      };
      return tag;
    },
  });
}

function createEngine(): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    lenientIf: true,
    ownPropertyOnly: true,
    // No file is looked up, whatever asks for one.
    templates: {},
    parseLimit: MAX_TEMPLATE,
    operators: boundedOperators(),
  });
  for (const [name, tag] of Object.entries(engine.tags)) {
    if (TAGS.includes(name)) engine.registerTag(name, boundedTag(tag));
    else delete engine.tags[name];
  }
  for (const [name, filter] of Object.entries(engine.filters)) {
    const handler = typeof filter === 'function' ? filter : filter.handler;
    if (LIST_FILTERS.includes(name) || TEXT_FILTERS.includes(name))
      engine.registerFilter(name, bounded(name, handler));
    else if (!GLANCES.includes(name)) engine.unregisterFilter(name);
  }
  engine.registerFilter('json', asJson);
  return engine;
}

/** Counts what is read. The library's own limits are a stopwatch, and an account that a backward range fills up. */
function watch(context: Context, budget: TemplateBudget): Context {
  context.memoryLimit.use = budget.work;
  context.renderLimit.check = budget.step;
  const read = context.readProperty.bind(context);
  context.readProperty = (holder, key) => {
    if (key === 'size') weighEntries(holder, budget.work);
    const value: unknown = read(holder, key);
    budget.work(typeof value === 'string' ? value.length : 1);
    return value;
  };
  const spawn = context.spawn.bind(context);
  context.spawn = (scope) => watch(spawn(scope), budget);
  return context;
}

function createContext(variables: JsonObject, budget: TemplateBudget): Context {
  // A copy: `increment` writes into it.
  const context = new Context({ ...variables }, ENGINE.options, { sync: true }, { liquid: ENGINE });
  watch(context, budget);
  // What a null holds is as undefined as what nothing holds: `Backup.Name` without a Backup.
  const read = context.readProperty.bind(context);
  context.readProperty = (holder, key) => (holder === null ? undefined : read(holder, key));
  return context;
}

function textOf(value: unknown): string {
  const plain = toValue(value);
  if (plain === null || plain === undefined) return '';
  return Array.isArray(plain) ? plain.map(textOf).join('') : String(plain);
}

/** Takes what is written piece by piece, up to the length that a text may have. */
function createEmitter({ work }: TemplateBudget): Emitter {
  return {
    buffer: '',
    write(value: unknown): void {
      weigh(value, work);
      refuseOdd(value, 'it renders to');
      this.buffer += textOf(value);
      if (this.buffer.length > MAX_OUTPUT) throw new Error(`more than ${MAX_OUTPUT} characters`);
    },
  };
}

function problemOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, MAX_PROBLEM);
}

const ENGINE = createEngine();

function render(template: string, variables: JsonObject, budget: TemplateBudget): Rendered {
  try {
    const context = createContext(variables, budget);
    const emitter = createEmitter(budget);
    toValueSync(ENGINE.renderer.renderTemplates(ENGINE.parse(template), context, emitter));
    return { ok: true, text: emitter.buffer };
  } catch (error) {
    return { ok: false, problem: problemOf(error) };
  }
}

/** Renders templates (backups.md, decision 2): the same for the same input, whatever the machine and the time. */
export const renderTemplate: RenderTemplate = (variables) => {
  const budget = openBudget();
  return (template) => render(template, variables, budget);
};

/** Why a text is no template, whatever it is rendered with; undefined for one that is. */
export function syntaxProblem(template: string): string | undefined {
  try {
    ENGINE.parse(template);
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}
