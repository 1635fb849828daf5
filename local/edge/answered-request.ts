import type { IncomingMessage, ServerResponse } from 'node:http';
import { visible } from '../terminal/text.ts';

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

/** A download as the log of CloudFront tells it, which a deployed stage can have: nothing of the query, whose signature opens the file. */
export function downloadLine(
  { method, path, status = 0, address }: Pick<AnsweredRequest, 'method' | 'path' | 'status' | 'address'>,
  at: Date,
): string {
  const [date, time] = at.toISOString().split(/[T.]/);
  const said = { date, time, 'c-ip': address, 'cs-method': method, 'cs-uri-stem': path };
  return visible(JSON.stringify({ ...said, 'sc-status': String(status) }));
}
