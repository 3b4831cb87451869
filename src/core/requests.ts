export const REQUEST_VERBS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
export type RequestVerb = (typeof REQUEST_VERBS)[number];

/** How requests were answered; 429 is not among `4xx`, and `none` is no answer at all. */
export const ANSWER_CLASSES = ['2xx', '3xx', '4xx', '429', '5xx', 'none'] as const;
export type AnswerClass = (typeof ANSWER_CLASSES)[number];

/** What a tick asked of an API server; every try of a request is counted. */
export interface Requests {
  readonly sent: Readonly<Record<RequestVerb, Readonly<Record<AnswerClass, number>>>>;
  /** Tries behind the first one of a request. */
  readonly retries: number;
}

export function answerClass(status: number | undefined): AnswerClass {
  if (status === undefined) return 'none';
  if (status === 429) return '429';
  if (status < 300) return '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}

export function countRequests({ sent }: Requests, verb: RequestVerb): number {
  return ANSWER_CLASSES.reduce((sum, answer) => sum + sent[verb][answer], 0);
}

export function countAnswers({ sent }: Requests, answer: AnswerClass): number {
  return REQUEST_VERBS.reduce((sum, verb) => sum + sent[verb][answer], 0);
}
