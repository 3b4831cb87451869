import { ANSWER_CLASSES, answerClass, type Requests, type RequestVerb } from '#core/requests.ts';
import type { HttpReply } from './http.ts';

/** Counts what is sent, and how it is answered. */
export interface Tally {
  readonly answered: (verb: RequestVerb, reply: HttpReply) => void;
  readonly repeated: () => void;
  readonly requests: () => Requests;
}

type Counts = Record<(typeof ANSWER_CLASSES)[number], number>;

function zeros(): Counts {
  return Object.fromEntries(ANSWER_CLASSES.map((answer) => [answer, 0])) as Counts;
}

export function newTally(): Tally {
  const sent = { GET: zeros(), POST: zeros(), PATCH: zeros(), DELETE: zeros() };
  let retries = 0;
  return {
    answered: (verb, reply) => {
      sent[verb][answerClass(reply.state === 'reply' ? reply.status : undefined)] += 1;
    },
    repeated: () => {
      retries += 1;
    },
    requests: () => ({ sent, retries }),
  };
}
