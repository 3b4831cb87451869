import { pathText } from '#api/issue.ts';
import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json } from '#core/object/object.ts';
import type { RenderTemplate } from '#core/run/driver.ts';

/** What a rendered value may hold in all, in characters: an object of the API has to fit beside it. */
const MAX_TOTAL = 256 * 1024;
/** Texts with something to render: each is parsed, however little it does. */
export const MAX_TEMPLATES = 500;
export const MAX_DEPTH = 64;

export type RenderedValue =
  | { readonly ok: true; readonly value: Json }
  /** Names the field, as the API writes paths. */
  | { readonly ok: false; readonly problem: string };

/** What the texts of one value share. */
interface Rendering {
  readonly render: ReturnType<RenderTemplate>;
  /** The first thing that went wrong: nothing is rendered behind it. */
  problem: string | undefined;
  total: number;
  templates: number;
}

export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

function fail(rendering: Rendering, path: FieldPath, problem: string): null {
  rendering.problem = `${pathText(path)}: ${problem}`;
  return null;
}

function renderText(text: string, path: FieldPath, rendering: Rendering): Json {
  let made = text;
  if (isTemplate(text)) {
    rendering.templates += 1;
    if (rendering.templates > MAX_TEMPLATES)
      return fail(rendering, path, `more than ${MAX_TEMPLATES} templates in one value`);
    const rendered = rendering.render(text);
    if (!rendered.ok) return fail(rendering, path, rendered.problem);
    made = rendered.text;
  }
  rendering.total += made.length;
  if (rendering.total > MAX_TOTAL)
    return fail(rendering, path, `more than ${MAX_TOTAL} characters in one value`);
  return made;
}

function walk(value: Json, path: FieldPath, rendering: Rendering): Json {
  if (rendering.problem !== undefined) return null;
  if (typeof value === 'string') return renderText(value, path, rendering);
  if (typeof value !== 'object' || value === null) return value;
  if (path.length > MAX_DEPTH) return fail(rendering, path, `nested more than ${MAX_DEPTH} deep`);
  if (isObject(value)) {
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, member]) => [key, walk(member, [...path, key], rendering)]));
  }
  return value.map((item, index) => walk(item, [...path, index], rendering));
}

/**
 * Renders every text of a value by itself; keys, numbers and booleans stay as they are.
 * @param path where the value stands, for what is said of a fault
 */
export function renderValue(value: Json, path: FieldPath, render: ReturnType<RenderTemplate>): RenderedValue {
  const rendering: Rendering = { render, problem: undefined, total: 0, templates: 0 };
  const made = walk(value, path, rendering);
  const { problem } = rendering;
  return problem === undefined ? { ok: true, value: made } : { ok: false, problem };
}
