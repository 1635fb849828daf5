import { text } from 'node:stream/consumers';
import { HttpRequest } from '@smithy/core/protocols';
import type { exchange } from '../../../functions/aws/object-upload/exchange.ts';
import type { EngineHandler } from '../engine-handler.ts';

/** Connects to the engine the code that calls S3 without the SDK. */
export const exchangeThrough =
  (handler: EngineHandler): typeof exchange =>
  async ({ method, url, headers, chunks }, _, abortSignal) => {
    const request = new HttpRequest({
      method,
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
