import type { Alias } from 'yaml';
import { type BuildContext, refuse, reportInDocument } from '#source/text/build-context.ts';
import { type Built, builtScalar } from '#source/text/built.ts';
import { tooDeep } from '#source/text/describe.ts';
import { movedTo } from '#source/text/marks.ts';
import { cronProblem } from './explain-fault.ts';

export function refuseDepth(context: BuildContext, at: number): Built {
  return refuse(context, at, tooDeep(context.limits.depth));
}

function unknownAlias(name: string, context: BuildContext, at: number): Built {
  const cron = cronProblem(context.text, at - context.start);
  if (cron !== undefined) {
    reportInDocument(context, cron);
    return builtScalar(null, at);
  }
  return refuse(context, at, {
    code: 'UnknownAlias',
    what: `the alias \`*${name}\` has no anchor \`&${name}\` before it in this document`,
    why: 'anchors end with their document (YAML 1.2, 3.2.2.2)',
    fix: `write the value here, or quote it if "*${name}" is text`,
  });
}

function refuseBomb(context: BuildContext, at: number): Built {
  if (context.exhausted) return builtScalar(null, at);
  context.exhausted = true;
  return refuse(context, at, {
    code: 'LimitExceeded',
    what: `alias expansion limit: written out, the aliases of this file add more than ${context.limits.aliasExpansion} characters`,
    why: 'aliases of aliases multiply: a few hundred bytes can stand for more than any memory holds',
    fix: 'write the repeated values out, or split the file',
  });
}

/**
 * The value of the anchor, shared and not copied: time and memory follow the text. What a later reader would have to
 * walk through is counted instead, whatever the number of aliases, and a bomb is refused before anybody walks it.
 */
export function buildAlias(node: Alias.Parsed, context: BuildContext, depth: number): Built {
  const at = context.start + node.range[0];
  const anchor = context.anchors.get(node.source);
  if (anchor === undefined) return unknownAlias(node.source, context, at);
  const { built } = anchor;
  if (built === undefined) {
    const what = `the alias \`*${node.source}\` stands inside its own anchor`;
    return refuse(context, at, {
      code: 'RecursiveAlias',
      what,
      why: 'a value that contains itself has no end',
      fix: 'write the value out, or put the anchor on another value',
    });
  }
  if (depth + built.height > context.limits.depth) return refuseDepth(context, at);
  if (context.expansion + built.size > context.limits.aliasExpansion) return refuseBomb(context, at);
  context.expansion += built.size;
  return { ...built, marks: movedTo(built.marks, at) };
}
