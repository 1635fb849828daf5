import { HttpRequest } from '@smithy/core/protocols';
import type { EngineHandler } from '../engine-handler.ts';

/**
 * A `fetch` for signed links to the engine's objects. It does not check the signature, but it checks the link's time
 * against this clock.
 */
export function openLink(handler: EngineHandler, now: () => Date): typeof fetch {
  return async (input, { method = 'GET', headers } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (hasExpired(url, now())) return new Response('Request has expired', { status: 403 });
    const request = new HttpRequest({
      method,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(new Headers(headers)),
    });
    const { response } = await handler.handle(request);
    return new Response(response.statusCode === 304 ? null : response.body, {
      status: response.statusCode,
      headers: response.headers,
    });
  };
}

function hasExpired({ searchParams }: URL, now: Date): boolean {
  const stamp = searchParams.get('X-Amz-Date') ?? '';
  const signedAt = stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  return now.getTime() > Date.parse(signedAt) + Number(searchParams.get('X-Amz-Expires')) * 1000;
}
