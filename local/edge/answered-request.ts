import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request as the edge saw it, after its response has ended. */
export interface AnsweredRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Undefined if the caller disconnected before there was a response. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  readonly authorization: string | undefined;
  /** The sender, as `senderOf` names it. */
  readonly address: string;
}

/** Used instead of an address. */
export const PAGE_OF_ANOTHER_SITE = 'a page of another site';

/**
 * Under which name a request is counted. All pages in the developer's browser have the developer's address, but no
 * page can change what the browser says about its site. Of a WebSocket it says the origin only.
 */
export const senderOf = (request: IncomingMessage): string =>
  isOfAnotherSite(request) ? PAGE_OF_ANOTHER_SITE : (request.socket.remoteAddress ?? '');

function isOfAnotherSite({ headers }: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'cross-site' || site === 'same-site';
  return origin !== undefined && URL.parse(origin)?.host !== host;
}

export function onAnswered(
  request: IncomingMessage,
  response: ServerResponse,
  tell: (request: AnsweredRequest) => void,
): void {
  const { method = '', url = '', headers } = request;
  const started = performance.now();
  // Read now: after the connection has ended, the socket no longer knows it.
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
