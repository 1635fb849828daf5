import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request as the edge saw it, once its answer has ended. */
export interface AnsweredRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Undefined if the caller went away before there was an answer. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  readonly authorization: string | undefined;
  /** Where it came from. */
  readonly address: string;
}

export function onAnswered(
  { method = '', url = '', headers, socket }: IncomingMessage,
  response: ServerResponse,
  tell: (request: AnsweredRequest) => void,
): void {
  const started = performance.now();
  // A connection that has ended knows it no more.
  const address = socket.remoteAddress ?? '';
  response.once('close', () =>
    tell({
      method,
      path: url.split('?', 1)[0] ?? '',
      status: response.headersSent ? response.statusCode : undefined,
      milliseconds: performance.now() - started,
      authorization: headers.authorization,
      address,
    }),
  );
}
