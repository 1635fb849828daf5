import { EDGE_SECRET_HEADER, VIEWER_ADDRESS_HEADER } from '../../functions/http/edge-headers.ts';

/** RFC 9110 §7.6.1: these speak of one connection, not of the message. */
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

/** Set by whatever stands in front of the functions; a caller's own say would be believed. */
const SET_BY_THE_EDGE = /^(host|x-forwarded-.*|x-genway-(public-url|edge|viewer-address))$/;

type Headers = Readonly<NodeJS.Dict<string[]>>;
type OutgoingHeaders = Record<string, string | string[]>;

/** What the edge tells the functions of itself. */
export interface EdgeIdentity {
  /** The address under which callers know the API. */
  readonly publicUrl: string;
  /** By which the functions know that a request came through here. */
  readonly secret: string;
  /** Where the request came from, or in whose place it is counted. */
  readonly viewerAddress: string;
}

export function requestHeaders(
  received: Headers,
  { publicUrl, secret, viewerAddress }: EdgeIdentity,
): OutgoingHeaders {
  const headers = endToEnd(received, (name) => !SET_BY_THE_EDGE.test(name));
  // Node frames a body of unknown length by itself for some methods only.
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
