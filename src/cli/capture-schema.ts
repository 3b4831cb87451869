import * as z from 'zod/mini';
import { ORIGINS } from '#core/capture/capture.ts';
import { type DiagnosticCode, SEVERITIES } from '#core/diagnostic.ts';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject } from '#core/object/object.ts';
import { DIAGNOSTIC_HELP } from '#render/diagnostic-help.ts';

const data = z.custom<JsonObject>(isObject, 'is no mapping');
const texts = z.record(z.string(), z.string());
const marker = z.exactOptional(z.literal(true));
const type = { group: z.string(), kind: z.string() };

const place = z.strictObject({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  document: z.exactOptional(z.int()),
});

const diagnostic = z.strictObject({
  code: z.enum(Object.keys(DIAGNOSTIC_HELP) as DiagnosticCode[]),
  severity: z.enum(SEVERITIES),
  object: z.exactOptional(z.strictObject({ ...type, namespace: z.string(), name: z.string() })),
  path: z.exactOptional(z.array(z.union([z.string(), z.int()]))),
  place: z.exactOptional(place),
  what: z.string(),
  why: z.exactOptional(z.string()),
  fix: z.exactOptional(z.string()),
});

const source = {
  object: data,
  places: z.exactOptional(
    z.strictObject({ file: z.string(), document: z.exactOptional(z.int()), fields: texts }),
  ),
  provisional: marker,
  assumedCreation: marker,
};

const Source = z.strictObject(source);

const fault = z.strictObject({
  reason: z.string(),
  server: z.exactOptional(z.string()),
  fix: z.exactOptional(z.string()),
  denied: z.exactOptional(z.boolean()),
});

/** The three states of a list, each with what says which list it is. */
function listing<const Head extends z.core.$ZodShape>(head: Head) {
  return z.discriminatedUnion('state', [
    z.strictObject({
      ...head,
      state: z.literal('read'),
      objects: z.array(Source),
      incomplete: z.exactOptional(texts),
      scope: z.exactOptional(z.strictObject({ namespaces: z.array(z.string()), reason: z.string() })),
      unreadable: z.exactOptional(z.array(z.strictObject({ ...source, reason: z.string() }))),
    }),
    z.strictObject({ ...head, state: z.literal('absent') }),
    z.strictObject({
      ...head,
      state: z.literal('unreadable'),
      reason: z.string(),
      fault: z.exactOptional(fault),
    }),
  ]);
}

function answer() {
  const head = { ...type, namespace: z.string(), name: z.string() };
  return z.discriminatedUnion('state', [
    z.strictObject({ ...head, state: z.literal('found'), object: data }),
    z.strictObject({ ...head, state: z.literal('missing') }),
    z.strictObject({ ...head, state: z.literal('unserved') }),
    z.strictObject({ ...head, state: z.literal('failed'), reason: z.string() }),
  ]);
}

/** A capture, after it was read as data and its kind and version were looked at. */
export const CaptureFile = z.strictObject({
  kind: z.string(),
  formatVersion: z.int(),
  program: z.string(),
  now: z.string(),
  origin: z.enum(ORIGINS),
  config: data,
  findings: z.strictObject({ input: z.array(diagnostic), store: z.array(diagnostic) }),
  failedReads: z.boolean(),
  lists: z.array(listing(type)),
  found: z.array(answer()),
  labelled: z.array(listing({ ...type, namespace: z.string(), labels: texts })),
});

export type CaptureFile = z.infer<typeof CaptureFile>;
export type SourceFile = z.infer<typeof Source>;
export type ListingFile = CaptureFile['lists'][number];
