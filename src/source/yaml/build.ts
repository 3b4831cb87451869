import { isAlias, isMap, isScalar, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import {
  type Anchor,
  type BuildContext,
  refuse,
  reportInDocument,
  tagAt,
} from '#source/text/build-context.ts';
import { type Built, builtList, builtMap, builtScalar, type Entries } from '#source/text/built.ts';
import { duplicateKey, lateMerge, notAKey, notMergeable } from '#source/text/describe.ts';
import { buildAlias, refuseDepth } from './build-alias.ts';
import { buildScalar, buildScalarKey } from './build-scalar.ts';
import { templateProblem } from './explain-fault.ts';
import { mergeEntries } from './merge-entries.ts';
import { unknownTag } from './scalar.ts';

type Pair = YAMLMap.Parsed['items'][number];

/**
 * The parser's nodes to plain data with places. The parser's own conversion would lose the places, count aliases
 * instead of what they expand to, and know neither kubectl's scalars nor its keys. Recursion is bounded by the depth
 * that `composeDocument` let through.
 */
export function buildDocument(contents: ParsedNode | null, context: BuildContext): Built {
  return build(contents, context, 0, context.start);
}

function build(node: ParsedNode | null, context: BuildContext, depth: number, keyAt: number): Built {
  if (node === null) return builtScalar(null, keyAt);
  if (isAlias(node)) return buildAlias(node, context, depth);
  const anchor: Anchor = {};
  if (node.anchor !== undefined) context.anchors.set(node.anchor, anchor);
  anchor.built = isScalar(node)
    ? buildScalar(node, context, keyAt)
    : buildCollection(node, context, depth + 1);
  return anchor.built;
}

function buildCollection(node: YAMLMap.Parsed | YAMLSeq.Parsed, context: BuildContext, depth: number): Built {
  const at = context.start + node.range[0];
  if (depth > context.limits.depth) return refuseDepth(context, at);
  const expected = isMap(node) ? 'tag:yaml.org,2002:map' : 'tag:yaml.org,2002:seq';
  if (node.tag !== undefined && node.tag !== expected)
    refuse(context, tagAt(context, at), unknownTag(node.tag));
  return isMap(node) ? buildMap(node, context, depth) : buildList(node, context, depth);
}

function buildList(node: YAMLSeq.Parsed, context: BuildContext, depth: number): Built {
  const at = context.start + node.range[0];
  const items = node.items.map((item, index) => {
    context.path.push(index);
    const built = build(item, context, depth, at);
    context.path.pop();
    return built;
  });
  return builtList(items, at);
}

function buildMap(node: YAMLMap.Parsed, context: BuildContext, depth: number): Built {
  const entries: Entries = new Map();
  let mergeAt: number | undefined;
  for (const pair of node.items) {
    if (!isMergeKey(pair.key)) addPair(entries, pair, context, depth);
    else {
      if (mergeAt !== undefined) refuseTwice('<<', mergeAt, context, pair);
      mergeAt = context.start + pair.key.range[0];
      addMerge(entries, pair, context, depth);
    }
  }
  return builtMap(entries, context.start + node.range[0]);
}

/** go-yaml v2, decode.go: only unquoted, or with the tag `!!merge`. */
function isMergeKey(key: ParsedNode): key is Scalar.Parsed {
  if (!isScalar(key) || key.source !== '<<') return false;
  return key.tag === undefined ? key.type === 'PLAIN' : key.tag === 'tag:yaml.org,2002:merge';
}

function refuseTwice(key: string, firstAt: number, context: BuildContext, pair: Pair): void {
  const at = context.start + pair.key.range[0];
  refuse(context, at, duplicateKey(key, [context.placeAt(firstAt).line, context.placeAt(at).line]));
}

function addMerge(entries: Entries, pair: Pair, context: BuildContext, depth: number): void {
  const at = context.start + pair.key.range[0];
  const overridden = mergeEntries(entries, build(pair.value, context, depth, at));
  if (overridden === undefined) refuse(context, at, notMergeable);
  for (const [key, { keyAt }] of overridden ?? []) {
    refuse(context, at, lateMerge(key, [context.placeAt(keyAt).line, context.placeAt(at).line]));
  }
}

function addPair(entries: Entries, pair: Pair, context: BuildContext, depth: number): void {
  const keyAt = context.start + pair.key.range[0];
  const key = buildKey(pair.key, context, keyAt);
  context.path.push(key);
  const known = entries.get(key);
  if (known?.own === true) refuseTwice(key, known.keyAt, context, pair);
  const built = build(pair.value, context, depth, keyAt);
  if (known?.own !== true) entries.set(key, { keyAt, built, own: true });
  context.path.pop();
}

function buildKey(node: ParsedNode, context: BuildContext, at: number): string {
  if (isScalar(node)) {
    const key = buildScalarKey(node, context, at);
    if (node.anchor !== undefined) context.anchors.set(node.anchor, { built: builtScalar(key, at) });
    return key;
  }
  if (isAlias(node)) {
    const { value } = buildAlias(node, context, 0);
    if (typeof value === 'string') return value;
    refuse(context, at, notAKey(`\`*${node.source}\``));
  } else {
    const template = templateProblem(context.text, at - context.start);
    if (template === undefined) refuse(context, at, notAKey('a mapping or list'));
    else reportInDocument(context, template);
  }
  return '';
}
