import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** An answer that no function gave, in the API's error body. */
export interface EdgeError {
  readonly status: number;
  readonly errorType: string;
  readonly message: string;
}

export function answerError(response: ServerResponse, { status, errorType, message }: EdgeError): void {
  const body = JSON.stringify({ error: { code: status, message, metadata: { error_type: errorType } } });
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': randomUUID(),
  });
  response.end(body);
}
