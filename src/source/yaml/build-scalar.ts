import { type BuildContext, refuse, reportIf, spotAt, tagAt } from '#source/text/build-context.ts';
import { type Built, builtScalar } from '#source/text/built.ts';
import { ambiguousKey, ambiguousValue, impreciseNumber, notAKey, notInJson } from '#source/text/describe.ts';
import { keyText } from './key-text.ts';
import { isAmbiguous, type RawScalar, readScalar } from './scalar.ts';

/** As much as is asked of a scalar of the parser. */
export interface ScalarNode {
  /** Without its quotes. */
  readonly source: string;
  readonly type?: string | undefined;
  readonly tag?: string | undefined;
  /** Offsets into the document, its beginning first. */
  readonly range: readonly [number, ...number[]];
}

function rawScalar(node: ScalarNode): RawScalar {
  return { text: node.source, plain: node.type === 'PLAIN', tag: node.tag };
}

/** `keyAt` is where an empty value is said to stand: a person finds the key, not the nothing behind it. */
export function buildScalar(node: ScalarNode, context: BuildContext, keyAt: number): Built {
  const raw = rawScalar(node);
  const at = raw.plain && raw.text === '' ? keyAt : context.start + node.range[0];
  const reading = readScalar(raw, context.scalars);
  if (reading.type === 'text') return builtScalar(reading.value, at);
  if (reading.type === 'fault') {
    const value = context.start + node.range[0];
    return refuse(context, reading.code === 'UnknownTag' ? tagAt(context, value) : at, reading);
  }
  if (reading.type === 'float' && !Number.isFinite(reading.value)) {
    return refuse(context, at, notInJson(raw.text));
  }
  if ('exact' in reading && reading.exact !== undefined) {
    reportIf(context, impreciseNumber(reading.exact, reading.value, spotAt(context, at)));
  }
  if (isAmbiguous(raw, reading)) context.report(ambiguousValue(raw.text, reading.value, spotAt(context, at)));
  return builtScalar(reading.value, at);
}

/** The key as kubectl would write it in JSON. */
export function buildScalarKey(node: ScalarNode, context: BuildContext, at: number): string {
  const raw = rawScalar(node);
  const reading = readScalar(raw, context.scalars);
  if (reading.type === 'text') return reading.value;
  if (reading.type === 'fault') {
    refuse(context, reading.code === 'UnknownTag' ? tagAt(context, at) : at, reading);
    return raw.text;
  }
  const key = keyText(reading);
  if (key === undefined) refuse(context, at, notAKey(raw.text === '' ? 'nothing' : `\`${raw.text}\``));
  else if (raw.plain && raw.tag === undefined && key !== raw.text) {
    context.report(ambiguousKey(raw.text, key, { at, path: [...context.path, key] }));
  }
  return key ?? raw.text;
}
