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
  /** Where it came from, as `senderOf` says. */
  readonly address: string;
}

/** In the place of an address. */
const PAGE_OF_ANOTHER_SITE = 'a page of another site';

/**
 * Whose count a request belongs to. All pages in the developer's browser have the developer's address; what the
 * browser says of their site no page can change.
 */
export const senderOf = ({ headers, socket }: IncomingMessage): string =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']))
    ? PAGE_OF_ANOTHER_SITE
    : (socket.remoteAddress ?? '');

export function onAnswered(
  request: IncomingMessage,
  response: ServerResponse,
  tell: (request: AnsweredRequest) => void,
): void {
  const { method = '', url = '', headers } = request;
  const started = performance.now();
  // A connection that has ended knows it no more.
  const address = senderOf(request);
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
