import { Context, defaultOperators, type FilterImplOptions, Liquid } from 'liquidjs';
import type { JsonObject } from '#core/object/object.ts';
import type { Rendered } from '#core/run/driver.ts';

/** Characters of a template, and of what it renders to. */
const MAX_TEMPLATE = 16 * 1024;
const MAX_OUTPUT = 64 * 1024;
/** What filters, ranges and comparisons may make or look through in one render, in characters and items. */
const MAX_WORK = 256 * 1024;
/** Tags, outputs and texts rendered, each round of a loop again. */
const MAX_STEPS = 10_000;

/** What leaves the template (`render`, `include`, `layout`) is not there, nor what is for pages (`tablerow`). */
const TAGS = [
  ...['#', 'assign', 'break', 'case', 'comment', 'continue', 'cycle', 'decrement', 'echo', 'for', 'if'],
  ...['increment', 'liquid', 'raw', 'unless'],
];

/**
 * Those that are pure and whose work is bounded by what they are given: none reads a clock, draws lots, or evaluates a
 * text as an expression.
 */
const FILTERS = [
  ...[
    'abs',
    'append',
    'at_least',
    'at_most',
    'base64_decode',
    'base64_encode',
    'capitalize',
    'ceil',
    'compact',
  ],
  ...['concat', 'default', 'divided_by', 'downcase', 'find', 'first', 'floor', 'has', 'join', 'json', 'last'],
  ...[
    'lstrip',
    'map',
    'minus',
    'modulo',
    'plus',
    'prepend',
    'reject',
    'remove',
    'remove_first',
    'remove_last',
  ],
  ...[
    'replace',
    'replace_first',
    'replace_last',
    'reverse',
    'round',
    'rstrip',
    'sha256',
    'size',
    'slice',
    'sort',
  ],
  ...['split', 'strip', 'strip_newlines', 'sum', 'times', 'to_integer', 'truncate', 'uniq', 'upcase'],
  ...['url_decode', 'url_encode', 'where'],
];

/** A mistake in a template is told in one line. */
const MAX_PROBLEM = 300;

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>;

function sizeOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}

/** What a filter makes is counted, too: the library counts what most of them are given. */
function counted(handler: Handler): Handler {
  return function count(value: unknown, ...args: readonly unknown[]): unknown {
    const made: unknown = handler.call(this, value, ...args);
    this.context.memoryLimit.use(sizeOf(made));
    return made;
  };
}

function createEngine(): Liquid {
  const { contains } = defaultOperators;
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    lenientIf: true,
    ownPropertyOnly: true,
    // No file is looked up, whatever asks for one.
    templates: {},
    parseLimit: MAX_TEMPLATE,
    operators: {
      ...defaultOperators,
      contains: (text: unknown, part: unknown, context: Context) => {
        context.memoryLimit.use(sizeOf(text) + sizeOf(part));
        return contains?.(text, part, context) ?? false;
      },
    },
  });
  for (const name of Object.keys(engine.tags)) if (!TAGS.includes(name)) delete engine.tags[name];
  for (const [name, filter] of Object.entries(engine.filters)) {
    if (!FILTERS.includes(name)) engine.unregisterFilter(name);
    else engine.registerFilter(name, counted(typeof filter === 'function' ? filter : filter.handler));
  }
  return engine;
}

/** Ends a render once more was counted than is allowed; what is no amount counts as too much. */
function limit(most: number, problem: string): (amount: number) => void {
  let used = 0;
  return (amount) => {
    used += Math.max(0, Number(amount));
    if (!(used <= most)) throw new Error(problem);
  };
}

/** The library's own limits are a stopwatch, and an account that a backward range fills up: both are replaced. */
function createContext(engine: Liquid, variables: JsonObject): Context {
  // A copy: `increment` writes into it.
  const context = new Context({ ...variables }, engine.options, { sync: true }, { liquid: engine });
  const step = limit(MAX_STEPS, `more than ${MAX_STEPS} steps`);
  context.memoryLimit.use = limit(MAX_WORK, `more work than on ${MAX_WORK} characters`);
  context.renderLimit.check = () => step(1);
  // What a null holds is as undefined as what nothing holds: `Backup.Name` without a Backup.
  const read = context.readProperty.bind(context);
  context.readProperty = (holder, key) => (holder === null ? undefined : read(holder, key));
  return context;
}

function problemOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, MAX_PROBLEM);
}

const ENGINE = createEngine();

/** Renders one template (backups.md, decision 2): the same for the same input, whatever the machine and the time. */
export function renderTemplate(template: string, variables: JsonObject): Rendered {
  try {
    const context = createContext(ENGINE, variables);
    const text: unknown = ENGINE.renderSync(ENGINE.parse(template), context);
    if (typeof text !== 'string') return { ok: false, problem: 'it renders to no text' };
    if (text.length > MAX_OUTPUT) return { ok: false, problem: `more than ${MAX_OUTPUT} characters` };
    return { ok: true, text };
  } catch (error) {
    return { ok: false, problem: problemOf(error) };
  }
}
