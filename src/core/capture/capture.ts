import type { Diagnostic } from '#core/diagnostic.ts';
import type { JsonObject } from '#core/object/object.ts';
import type { Listing } from '#core/observed.ts';
import type { LabelledReference, LiveObject, LiveReference } from '#core/run/driver.ts';
import type { Instant } from '#core/time/instant.ts';

/** The list of one type as a store answered it. */
export interface CapturedList {
  readonly group: string;
  readonly kind: string;
  readonly listing: Listing;
}

/** One object that was asked for by its kind and name. */
export interface CapturedObject {
  readonly reference: LiveReference;
  readonly answer: LiveObject;
}

/** Objects that were asked for by their labels. */
export interface CapturedSearch {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly labels: LabelledReference['labels'];
  readonly listing: Listing;
}

/** What a store was asked, and what it answered. */
export interface Recording {
  readonly lists: readonly CapturedList[];
  readonly found: readonly CapturedObject[];
  readonly labelled: readonly CapturedSearch[];
}

/** Where the objects of a capture lived: settings that nobody made differ between the three. */
export const ORIGINS = ['cluster', 'manifests', 'state'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Everything that one tick read and what it goes by: enough to decide it once more, elsewhere. */
export interface Capture extends Recording {
  /** The version of the program that made it. */
  readonly program: string;
  readonly now: Instant;
  readonly origin: Origin;
  /** What a configuration file would have to say, flags included. */
  readonly config: JsonObject;
  /** What was told of manifests, and what the store told of itself. */
  readonly findings: { readonly input: readonly Diagnostic[]; readonly store: readonly Diagnostic[] };
  /** Some manifest could not be read. */
  readonly failedReads: boolean;
}

/** No `apiVersion` and no `metadata` beside it: nothing that reads objects of Kubernetes takes a capture for one. */
export const CAPTURE_KIND = 'MinutehandCapture';
export const CAPTURE_FORMAT = 1;
