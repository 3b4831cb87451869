import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { EXAMPLE } from './repository.ts';

export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

export interface Job {
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly defaults?: { readonly run?: { readonly shell?: string } };
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

export function readExample(name: string): string {
  return readFileSync(join(EXAMPLE, name), 'utf8');
}

/** Warnings, such as that of a key that comes twice, count as faults. */
export function parseYaml(text: string): unknown {
  const document = parseDocument(text, { strict: true });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw problem;
  return document.toJS();
}

export function parseWorkflow(text: string): Workflow {
  return parseYaml(text) as Workflow;
}

export function onlyJob({ jobs }: Workflow): Job {
  const [job, ...more] = Object.values(jobs);
  if (job === undefined || more.length > 0) throw new Error('a workflow of the examples has one job');
  return job;
}

/** What a step may ask for, such as `github.event.pull_request.number`. */
export type Facts = Readonly<Record<string, string>>;

function factOf(path: string, facts: Facts): string {
  const value = facts[path];
  // The host would take an empty text for a slip of the pen.
  if (value === undefined) throw new Error(`nothing is known of ${path}`);
  return value;
}

export function fillIn(text: string, facts: Facts): string {
  return text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_all, path: string) => factOf(path, facts));
}

export interface StepState {
  readonly facts: Facts;
  readonly hasFailed: boolean;
  readonly isFile: (path: string) => boolean;
}

function holds(term: string, { facts, isFile }: Omit<StepState, 'hasFailed'>): boolean {
  if (term === '!cancelled()') return true;
  const [, file] = /^hashFiles\('([^'*]+)'\) != ''$/.exec(term) ?? [];
  if (file !== undefined) return isFile(file);
  const [, left, text, right] = /^([\w.]+) == (?:'([^']*)'|([\w.]+))$/.exec(term) ?? [];
  if (left !== undefined) return factOf(left, facts) === (right === undefined ? text : factOf(right, facts));
  const [, list = '', item] = /^contains\(fromJSON\('([^']+)'\), ([\w.]+)\)$/.exec(term) ?? [];
  if (item !== undefined) return JSON.parse(list).includes(factOf(item, facts));
  throw new Error(`the condition ${term} is none that these tests can read`);
}

/** Those conditions that the examples have; any other is refused, never guessed. A step without one needs success. */
export function isDue(condition: string | undefined, state: StepState): boolean {
  if (condition === undefined) return !state.hasFailed;
  const bare = condition.replace(/^\$\{\{ (.*) \}\}$/, '$1');
  const terms = bare.split(' && ');
  return (!state.hasFailed || terms.includes('!cancelled()')) && terms.every((term) => holds(term, state));
}
