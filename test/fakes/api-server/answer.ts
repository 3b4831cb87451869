import type { JsonObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';

export interface Answer {
  readonly code: number;
  /** A text is sent as plain text, everything else as JSON. */
  readonly body: unknown;
  /** Texts of `Warning` headers. */
  readonly warnings?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ends a request wherever it is. */
export class Refused extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super(String(answer.code));
    this.answer = answer;
  }
}

export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

/** `jobs.batch`, or `configmaps` for the core group. */
export function resourceName({ group, plural }: Pick<ResourceType, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

export interface Failure {
  readonly code: number;
  /** Absent in errors that the server did not expect. */
  readonly reason?: string;
  readonly message: string;
  readonly details?: JsonObject;
  /** `metadata` of the Status. */
  readonly metadata?: JsonObject;
}

export function failure({ code, reason, message, details, metadata = {} }: Failure): Answer {
  return {
    code,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: 'Failure',
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    },
  };
}

export function detailsOf(type: ResourceType, name: string, causes: readonly Cause[] = []): JsonObject {
  return {
    ...(name === '' ? {} : { name }),
    ...(type.group === '' ? {} : { group: type.group }),
    kind: type.plural,
    ...(causes.length === 0 ? {} : { causes: causes.map((cause) => ({ ...cause })) }),
  };
}

export function notFound(type: ResourceType, name: string): Answer {
  return failure({
    code: 404,
    reason: 'NotFound',
    message: `${resourceName(type)} "${name}" not found`,
    details: detailsOf(type, name),
  });
}

export function conflict(type: ResourceType, name: string, why: string): Answer {
  return failure({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${resourceName(type)} "${name}": ${why}`,
    details: detailsOf(type, name),
  });
}

/** In some answers a server puts the kind where its resource belongs. */
export function named(type: ResourceType): ResourceType {
  return { ...type, plural: type.kind };
}

export const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

export function badRequest(message: string): Answer {
  return failure({ code: 400, reason: 'BadRequest', message });
}

/** @param field such as `metadata.name` */
export function invalid(type: ResourceType, name: string, field: string, problem: string): Answer {
  const reason = problem.startsWith('Required value') ? 'FieldValueRequired' : 'FieldValueInvalid';
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${resourceName(named(type))} "${name}" is invalid: ${field}: ${problem}`,
    details: detailsOf(named(type), name, [{ reason, message: problem, field }]),
  });
}

export function forbidden(
  type: ResourceType,
  name: string,
  why: string,
  causes: readonly Cause[] = [],
): Answer {
  const subject = name === '' ? resourceName(type) : `${resourceName(type)} "${name}"`;
  return failure({
    code: 403,
    reason: 'Forbidden',
    message: `${subject} is forbidden: ${why}`,
    details: detailsOf(type, name, causes),
  });
}

/** What the fake does not do is said aloud instead of done in another way than a server would. */
export function beyondTheFake(what: string): Answer {
  return failure({ code: 501, reason: 'NotImplemented', message: `this fake does not know ${what}` });
}
