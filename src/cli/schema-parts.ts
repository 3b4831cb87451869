import * as z from 'zod/mini';
import { VERDICT_CODES } from '#core/change/verdict.ts';
import { SEVERITIES } from '#core/diagnostic.ts';

export function time() {
  return z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/));
}

export function count() {
  return z.int().check(z.minimum(0));
}

export function objectRef() {
  return { apiVersion: z.string(), kind: z.string(), namespace: z.optional(z.string()), name: z.string() };
}

function verdictShape() {
  return {
    code: z.enum(VERDICT_CODES),
    reason: z.optional(z.string()),
    slot: z.optional(time()),
    lateSeconds: z.optional(z.int()),
    superseded: z.optional(z.strictObject({ count: count(), oldest: time() })),
    expired: z.optional(z.strictObject({ count: count(), oldest: time() })),
    next: z.nullable(time()),
    nextUntil: z.optional(time()),
    runs: z.optional(z.array(z.string())),
    actor: z.optional(z.string()),
    detail: z.optional(z.string()),
  };
}

/** What an observer foresees is a verdict of somebody else, one level deep. */
export function verdict() {
  return z.strictObject({ ...verdictShape(), foreseen: z.optional(z.strictObject(verdictShape())) });
}

export function fieldDiff() {
  return z.strictObject({ path: z.string(), before: z.optional(z.json()), after: z.optional(z.json()) });
}

export function place() {
  return z.strictObject({
    file: z.string(),
    line: z.int(),
    column: z.int(),
    document: z.optional(z.int()),
  });
}

export function objectKey() {
  return z.strictObject({
    group: z.string(),
    kind: z.string(),
    namespace: z.optional(z.string()),
    name: z.string(),
  });
}

export function diagnosticShape() {
  return {
    // Closed, but longer with every release: a reader has to bear new ones.
    code: z.string().check(z.regex(/^[A-Z][A-Za-z]+$/)),
    severity: z.enum(SEVERITIES),
    what: z.string(),
    why: z.optional(z.string()),
    fix: z.optional(z.string()),
    object: z.optional(objectKey()),
    path: z.optional(z.array(z.union([z.string(), z.int()]))),
    place: z.optional(place()),
  };
}

export function diagnostic() {
  return z.strictObject(diagnosticShape());
}
