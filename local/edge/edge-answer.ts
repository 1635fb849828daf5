import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ApiError } from '../../functions/http/errors.ts';
import {
  COMMON_HEADERS,
  type ErrorDescription,
  errorBody,
  JSON_TYPE,
} from '../../functions/http/response.ts';

/** An error response that no function made, in the API's error body. */
export type EdgeError = Omit<ErrorDescription, 'metadata'>;

/** Any response that the edge makes itself. */
export interface EdgeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function errorAnswer(error: EdgeError): EdgeAnswer {
  return {
    status: error.status,
    headers: { ...COMMON_HEADERS, 'content-type': JSON_TYPE, 'x-request-id': randomUUID() },
    body: JSON.stringify(errorBody(error)),
  };
}

/** For a page that has reached this machine under another host name: it must not be able to read the response. */
export function unsharedAnswer(error: EdgeError): EdgeAnswer {
  const { headers, ...answer } = errorAnswer(error);
  const unshared = Object.entries(headers).filter(([name]) => !name.startsWith('access-control-'));
  return { ...answer, headers: Object.fromEntries(unshared) };
}

/** The same response that our own code behind the edge would have given. */
export function refusalAnswer(refusal: ApiError): EdgeAnswer {
  const answer = errorAnswer(refusal);
  return { ...answer, headers: { ...answer.headers, ...refusal.headers } };
}

export function sendEdgeAnswer(response: ServerResponse, { status, headers, body }: EdgeAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

export function answerError(response: ServerResponse, error: EdgeError): void {
  sendEdgeAnswer(response, errorAnswer(error));
}
