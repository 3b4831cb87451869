import type * as z from 'zod/mini';
import type { Json, JsonObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';

/** One entry of `x-kubernetes-validations`; the message ends with the way out, behind a semicolon. */
export interface CelRule {
  readonly rule: string;
  readonly message: string;
  readonly fieldPath?: string;
}

export function celRule(rule: string, what: string, fix: string, fieldPath?: string): CelRule {
  return { rule, message: `${what}; ${fix}`, ...(fieldPath === undefined ? {} : { fieldPath }) };
}

/** What zod does not say of a field. */
export interface Note {
  readonly description: string;
  readonly default?: Json;
  readonly rules?: readonly CelRule[];
  /** Keywords that zod has no word for: formats, list types, limits that other code checks here. */
  readonly more?: JsonObject;
}

/** A whole schema, where the one of zod leaves the checks to other code. */
interface Replacement {
  readonly instead: JsonObject;
}

/** A note and those of what it holds. */
export type NoteTree =
  | Replacement
  | (Note & { readonly fields?: Readonly<Record<string, NoteTree>>; readonly items?: NoteTree });

type Inner<Schema> = Schema extends z.ZodMiniOptional<infer Wrapped> ? Wrapped : Schema;

/** The shape of the notes for a schema: a field without one does not compile. */
export type Notes<Schema> =
  | Replacement
  | (Inner<Schema> extends z.ZodMiniObject<infer Shape, infer _Config>
      ? Note & { readonly fields: { readonly [Field in keyof Shape]: Notes<Shape[Field]> } }
      : Inner<Schema> extends z.ZodMiniArray<infer Item>
        ? Note & { readonly items: Notes<Item> }
        : Note);

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly jsonPath: string;
  /** 1 = only with `-o wide`. */
  readonly priority?: 1;
}

export const AGE: Column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

interface Described {
  readonly resource: ResourceType;
  readonly description: string;
  readonly columns: readonly Column[];
  /** Fields that lists can be narrowed by. */
  readonly selectable?: readonly string[];
  readonly categories?: readonly string[];
  /** Without a spec there is no object. */
  readonly specRequired: boolean;
  /** Whether an optional field of the spec may be written as null, which counts as absent. */
  readonly nullable: boolean;
}

/** One half of a custom resource. */
export interface Part<Schema = z.ZodMiniType> {
  readonly schema: Schema;
  readonly notes: NoteTree & Notes<Schema>;
}

interface Typed<Spec, Status> extends Described {
  readonly spec: Part<Spec>;
  readonly status: Part<Status>;
}

/** Everything that a CustomResourceDefinition is generated from. Nothing of it is needed when a tick runs. */
export interface CustomResource extends Described {
  readonly spec: { readonly schema: z.ZodMiniType; readonly notes: NoteTree };
  readonly status: { readonly schema: z.ZodMiniType; readonly notes: NoteTree };
}

/** Checks the notes against the schemas, and forgets which these are. */
export function customResource<Spec extends z.ZodMiniType, Status extends z.ZodMiniType>(
  resource: Typed<Spec, Status>,
): CustomResource {
  return resource;
}
