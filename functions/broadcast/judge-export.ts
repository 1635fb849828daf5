import { type Answer, type judgeAnswer as Judge, judgeAnswer } from '../webhooks/delivery/judge-answer.ts';

/** OTLP over HTTP lists the statuses after which a request may be sent again; after any other it must not be. */
const RETRYABLE: readonly number[] = [429, 502, 503, 504];

export const isTaken = (answer: Answer): boolean =>
  'status' in answer && answer.status >= 200 && answer.status < 300 && !answer.aborts;

/** By the same schedule as webhooks, but by OTLP's rules about answers. */
export const judgeExport: typeof Judge = (answer, made, random) => {
  if ('failure' in answer) return judgeAnswer(answer, made, random);
  if (isTaken(answer)) return { status: 'delivered' };
  if (RETRYABLE.includes(answer.status)) return judgeAnswer({ ...answer, aborts: false }, made, random);
  return { status: 'failed', isGone: false };
};
