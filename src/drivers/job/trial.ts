import type { Finding } from '#core/kind.ts';
import { nearestName } from '#core/nearest-name.ts';
import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, JsonObject, KubeObject } from '#core/object/object.ts';
import type { FollowInput, RenderTemplate } from '#core/run/driver.ts';
import { isTemplate, MAX_DEPTH, MAX_TEMPLATES } from './render-template.ts';
import { type TrialOrder, trialOrders } from './trial-orders.ts';

/** A text of a strategy that is a template, with its field. */
interface Text {
  readonly path: FieldPath;
  readonly text: string;
}

function textsIn(value: Json | undefined, path: FieldPath): readonly Text[] {
  if (typeof value === 'string') return isTemplate(value) ? [{ path, text: value }] : [];
  if (path.length > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => textsIn(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => textsIn(member, [...path, key]));
}

/** The texts that serve a backup or a restore. */
function textsFor(spec: JsonObject, mode: 'backup' | 'restore'): readonly Text[] {
  const { template, restoreTemplate, artifact } = spec;
  if (mode === 'backup')
    return [...textsIn(template, ['spec', 'template']), ...textsIn(artifact, ['spec', 'artifact'])];
  if (restoreTemplate === undefined || restoreTemplate === null)
    return textsIn(template, ['spec', 'template']);
  return textsIn(restoreTemplate, ['spec', 'restoreTemplate']);
}

/** `undefined variable: Parameters.buckt` */
const UNDEFINED = /^undefined variable: ([\w.]+)/;

/** The name that was probably meant, among those that stand where the template looks. */
function meant(variable: string, context: JsonObject): string | undefined {
  const [last = '', ...holders] = variable.split('.').reverse();
  let holder: Json | undefined = context;
  for (const key of holders.reverse()) holder = isObject(holder) ? holder[key] : undefined;
  const nearest = isObject(holder) ? nearestName(last, Object.keys(holder)) : undefined;
  return nearest === undefined ? undefined : [...variable.split('.').slice(0, -1), nearest].join('.');
}

function undefinedFinding(path: FieldPath, variable: string, order: TrialOrder): Finding {
  const fix = meant(variable, order.context);
  return {
    code: 'TemplateFails',
    // What a cluster holds of an application may be more than its manifest.
    severity: variable.startsWith('Application.') ? 'warning' : 'error',
    path,
    what: `the template asks for ${variable.slice(0, 80)}, which ${order.text} does not have`,
    why: 'an order whose template asks for something that is not there fails',
    ...(fix === undefined ? {} : { fix: `write ${fix}` }),
  };
}

function renderFinding(
  { path, text }: Text,
  order: TrialOrder,
  render: ReturnType<RenderTemplate>,
): readonly Finding[] {
  const rendered = render(text);
  if (rendered.ok) return [];
  const variable = UNDEFINED.exec(rendered.problem)?.[1];
  if (variable !== undefined) return [undefinedFinding(path, variable, order)];
  const what = `the template fails for ${order.text}: ${rendered.problem}`;
  return [{ code: 'TemplateFails', severity: 'error', path, what }];
}

function syntaxFinding({ path, text }: Text, { syntaxProblem }: FollowInput): readonly Finding[] {
  const problem = syntaxProblem(text);
  if (problem === undefined) return [];
  return [
    { code: 'TemplateFails', severity: 'error', path, what: `the template cannot be read: ${problem}` },
  ];
}

/** The first thing that is wrong with each text. */
function firstOfEach(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ path }) => {
    const id = path.join('\0');
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/**
 * Whether the templates of a strategy can be read, and whether they render for the orders among the manifests that use
 * it: with the application of each, as strictly as a tick does it.
 */
export function trialFindings(strategy: KubeObject, input: FollowInput): readonly Finding[] {
  if (!isObject(strategy.spec)) return [];
  const { spec } = strategy;
  const all = [...textsFor(spec, 'backup'), ...textsIn(spec['restoreTemplate'], ['spec', 'restoreTemplate'])];
  const unreadable = all.slice(0, MAX_TEMPLATES).flatMap((text) => syntaxFinding(text, input));
  const tried = trialOrders(strategy, input).flatMap((order) => {
    const render = input.render(order.context);
    const texts = textsFor(spec, order.mode).slice(0, MAX_TEMPLATES);
    return texts.flatMap((text) => renderFinding(text, order, render));
  });
  return firstOfEach([...unreadable, ...tried]);
}
