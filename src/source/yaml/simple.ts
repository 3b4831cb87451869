import type { BuildContext } from '#source/text/build-context.ts';
import { type Built, builtMap, type Entries } from '#source/text/built.ts';
import { buildScalar, buildScalarKey, type ScalarNode } from './build-scalar.ts';

/*
 * The YAML of most schedules and configurations: mappings in mappings, one key in a line, with short values that no rule
 * of YAML makes into anything else. It is read here in a fraction of the time that the library takes to be loaded, and
 * means here what it means there. Whatever else a document holds leaves the whole of it to the library.
 */

interface SimpleMap {
  /** Of its first key. */
  readonly at: number;
  readonly pairs: SimplePair[];
}

interface SimplePair {
  readonly key: ScalarNode;
  value: ScalarNode | SimpleMap;
}

interface Level {
  readonly indent: number;
  readonly map: SimpleMap;
  /** Of its keys so far. */
  readonly names: Set<string>;
}

const MOST_TEXT = 64 * 1024;
const MOST_LEVELS = 20;
const BLANK_OR_COMMENT = /^ *(?:#.*)?$/;
/**
 * In quotes nothing that has to be resolved; without them nothing that begins, ends or splits anything. No keys of which
 * two may be one, such as `on` and `yes`, and none longer than the library takes.
 */
const PAIR =
  /^( *)((?!(?:y|yes|n|no|on|off|true|false|null):)[A-Za-z_][\w./-]{0,999}):(?:( +)(?:"([^"\\]*)"|'([^']*)'|((?:[\w./+]|-(?=[\w.]))(?:[\w./+*@%(),=;-]|:(?=[\w./])| (?=[^ #]))*)))?$/i;

function scalar(source: string, type: string, at: number): ScalarNode {
  return { source, type, range: [at] };
}

function isMap(value: ScalarNode | SimpleMap): value is SimpleMap {
  return 'pairs' in value;
}

/** An empty value is told from one that is written: a deeper line may follow it, and only it. */
function isOpen(pair: SimplePair | undefined): pair is SimplePair {
  return pair !== undefined && !isMap(pair.value) && pair.value.type === 'PLAIN' && pair.value.source === '';
}

function pairOf(
  [line, indent = '', key = '', gap, double, single, plain]: RegExpExecArray,
  at: number,
): SimplePair {
  const keyAt = at + indent.length;
  const valueAt = keyAt + key.length + 1 + (gap?.length ?? 0);
  const node = scalar(key, 'PLAIN', keyAt);
  if (double !== undefined) return { key: node, value: scalar(double, 'QUOTE_DOUBLE', valueAt) };
  if (single !== undefined) return { key: node, value: scalar(single, 'QUOTE_SINGLE', valueAt) };
  return { key: node, value: scalar(plain ?? '', 'PLAIN', plain === undefined ? at + line.length : valueAt) };
}

/** The level that a line belongs to; undefined if it is none that a simple document can have. */
function levelFor(levels: Level[], indent: number, at: number): Level | undefined {
  while (levels.length > 1 && (levels.at(-1)?.indent ?? 0) > indent) levels.pop();
  const top = levels.at(-1);
  if (top?.indent === indent) return top;
  const parent = top?.map.pairs.at(-1);
  if (top === undefined ? indent > 0 : indent < top.indent || !isOpen(parent)) return undefined;
  const level = { indent, map: { at: at + indent, pairs: [] }, names: new Set<string>() };
  if (parent !== undefined) parent.value = level.map;
  levels.push(level);
  return levels.length > MOST_LEVELS ? undefined : level;
}

/** The document as it stands; undefined where it is not as simple as that. */
function scan(text: string): SimpleMap | undefined {
  if (text.length > MOST_TEXT || !/^[ -~\n]*$/.test(text)) return undefined;
  const levels: Level[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const isStart = line === '---' && at === 0;
    if (!isStart && !BLANK_OR_COMMENT.test(line)) {
      const match = PAIR.exec(line);
      if (match === null) return undefined;
      const pair = pairOf(match, at);
      const level = levelFor(levels, match[1]?.length ?? 0, at);
      const { source: name } = pair.key;
      if (level === undefined || level.names.has(name)) return undefined;
      level.names.add(name);
      level.map.pairs.push(pair);
    }
    at += line.length + 1;
  }
  return levels[0]?.map;
}

function build({ at, pairs }: SimpleMap, context: BuildContext): Built {
  const entries: Entries = new Map();
  for (const { key, value } of pairs) {
    const keyAt = context.start + key.range[0];
    const name = buildScalarKey(key, context, keyAt);
    context.path.push(name);
    const built = isMap(value) ? build(value, context) : buildScalar(value, context, keyAt);
    entries.set(name, { keyAt, built, own: true });
    context.path.pop();
  }
  return builtMap(entries, context.start + at);
}

/** What a simple document says; undefined if it is none. */
export function readSimple(context: BuildContext): Built | undefined {
  const map = scan(context.text);
  return map === undefined ? undefined : build(map, context);
}
