import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { urlParts } from './url-parts.ts';

type Values = Readonly<Record<string, string[] | undefined>>;

/** What CloudFront tells its functions of a request: header names in lower case, and values as they were sent. */
export function viewerEvent(
  eventType: string,
  { method, url = '/', headersDistinct, socket }: IncomingMessage,
) {
  const { address: uri, query } = urlParts(url);
  return {
    version: '1.0',
    context: { eventType, requestId: randomUUID() },
    viewer: { ip: socket.remoteAddress ?? '' },
    request: {
      method,
      uri,
      querystring: fieldsOf(queryValues(query)),
      headers: fieldsOf(headersDistinct),
      cookies: {},
    },
  };
}

/** The first of several values comes with a list of all of them. */
export const fieldsOf = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, all = []]) => {
      const several = all.length > 1 ? { multiValue: all.map((value) => ({ value })) } : {};
      return [name, { value: all[0] ?? '', ...several }];
    }),
  );

function queryValues(query: string): Values {
  const pairs = query === '' ? [] : query.split('&');
  const grouped = Map.groupBy(pairs, (pair) => pair.split('=', 1)[0] ?? '');
  return Object.fromEntries(
    [...grouped].map(([name, all]) => [name, all.map((pair) => pair.slice(name.length + 1))]),
  );
}
