import { EDGE_SECRET_HEADER, VIEWER_ADDRESS_HEADER } from '../../functions/http/headers.ts';

/** Headers about one connection and not about the message, RFC 9110 §7.6.1. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The edge sets these. A caller's own values are removed, because the functions trust them. */
const SET_BY_THE_EDGE = /^(host|x-forwarded-.*|x-genway-(public-url|edge|viewer-address))$/;

type Headers = Readonly<NodeJS.Dict<string[]>>;
export type OutgoingHeaders = Record<string, string | string[]>;

/** What the edge tells the functions about itself and the caller. */
export interface EdgeIdentity {
  /** The address under which callers know the API. */
  readonly publicUrl: string;
  /** Proves to the functions that a request came through this edge. */
  readonly secret: string;
  /** The caller's address, or the name under which the request is counted. */
  readonly viewerAddress: string;
}

export function requestHeaders(
  received: Headers,
  { publicUrl, secret, viewerAddress }: EdgeIdentity,
): OutgoingHeaders {
  const headers = endToEnd(received, (name) => !SET_BY_THE_EDGE.test(name));
  // For a body of unknown length Node only sets this for some methods.
  if (received['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  headers['x-genway-public-url'] = publicUrl;
  headers[EDGE_SECRET_HEADER] = secret;
  headers[VIEWER_ADDRESS_HEADER] = viewerAddress;
  return headers;
}

export function responseHeaders(received: Headers): OutgoingHeaders {
  return endToEnd(received, () => true);
}

function endToEnd(received: Headers, wanted: (name: string) => boolean): OutgoingHeaders {
  const { connection = [] } = received;
  const named = connection.flatMap((value) => value.toLowerCase().split(',')).map((name) => name.trim());
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  const kept: OutgoingHeaders = {};
  for (const [name, values] of Object.entries(received)) {
    if (values === undefined || dropped.has(name) || !wanted(name)) continue;
    const [only, ...more] = values;
    kept[name] = more.length === 0 && only !== undefined ? only : values;
  }
  return kept;
}
