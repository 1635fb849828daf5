import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** An answer that no function gave, in the API's error body. */
export interface EdgeError {
  readonly status: number;
  readonly errorType: string;
  readonly message: string;
}

/** Any answer that the edge gives itself. */
export interface EdgeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function errorAnswer({ status, errorType, message }: EdgeError): EdgeAnswer {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': randomUUID(),
    },
    body: JSON.stringify({ error: { code: status, message, metadata: { error_type: errorType } } }),
  };
}

export function sendEdgeAnswer(response: ServerResponse, { status, headers, body }: EdgeAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

export function answerError(response: ServerResponse, error: EdgeError): void {
  sendEdgeAnswer(response, errorAnswer(error));
}
