import type { IncomingMessage } from 'node:http';
import { type Entrance, publicUrl, viewerAddress } from '../../../gate/entrance.ts';
import type { RequestHead } from '../../../http/call.ts';
import { joinedHeaders, requestId } from '../../../http/headers.ts';
import type { PathParameters } from '../../../http/routes.ts';
import { type Log, withFields } from '../../../telemetry/log.ts';

const API_PREFIX = /^\/api\/v1(?=\/)/;

/** Translates a request of Node's server. Of a repeated query parameter the last one counts. */
export function readHead(
  request: IncomingMessage,
  ownId: string,
  log: Log,
  entrance: Entrance,
): RequestHead<PathParameters> {
  const { method = 'GET', url = '/' } = request;
  const headers = joinedHeaders(request.headersDistinct);
  const [path = '/', search = ''] = url.split('?', 2);
  const id = requestId(headers['x-request-id'], ownId);
  return {
    requestId: id,
    method,
    pattern: path.replace(API_PREFIX, ''),
    headers,
    path: {},
    query: Object.fromEntries(new URLSearchParams(search)),
    publicUrl: publicUrl(headers, undefined, entrance),
    address: viewerAddress(headers, entrance, request.socket.remoteAddress),
    log: withFields(log, { request_id: id }),
    warnings: [],
  };
}
