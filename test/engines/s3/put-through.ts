import { text } from 'node:stream/consumers';
import { HttpRequest } from '@smithy/core/protocols';
import type { putBytes } from '../../../functions/aws/object-upload/put-bytes.ts';
import type { EngineHandler } from '../engine-handler.ts';

/** The way of parts of objects to the engine: they go past the SDK, and over a connection of their own. */
export const putThrough =
  (handler: EngineHandler): typeof putBytes =>
  async ({ url, headers, chunks }, _, abortSignal) => {
    const request = new HttpRequest({
      method: 'PUT',
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...headers },
      body: Buffer.concat(chunks),
    });
    const { response } = await handler.handle(request, { abortSignal });
    const { statusCode: status, headers: answered, body } = response;
    return { status, etag: answered.etag, text: await text(body ?? []) };
  };
