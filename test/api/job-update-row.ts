import type { JsonObject } from '#core/object/object.ts';

/** A change of a Job: fields of its spec, of its pod's spec, of the only container. */
export interface Part {
  readonly spec?: JsonObject;
  readonly pod?: JsonObject;
  readonly main?: JsonObject;
  readonly template?: JsonObject;
}

export interface UpdateRow {
  readonly what: string;
  readonly old: Part;
  readonly fresh: Part;
  /** What a controller wrote meanwhile. */
  readonly status?: JsonObject;
  /** What the API says of it; nothing where it takes the change. */
  readonly says: readonly string[];
}

export type Given = readonly [
  what: string,
  old: Part,
  fresh: Part,
  says?: readonly string[],
  status?: JsonObject,
];

export const TEMPLATE = 'spec.template: Invalid value: field is immutable';
