import * as v from 'valibot';
import type { Answer } from '../webhooks/delivery/judge-answer.ts';
import { type PostPorts, postBody, type Reply } from '../webhooks/delivery/post-body.ts';
import type { StoredDestination } from './destination.ts';
import { otlpRequest, type Span } from './otlp-request.ts';
import type { OpenHeaders } from './sealed-headers.ts';

export interface PostSpanPorts extends PostPorts {
  readonly openHeaders: OpenHeaders;
}

/** Sends one span in one request. A 2xx that rejects the span counts as a refusal that is final. */
export async function postSpan(
  destination: StoredDestination,
  span: Span,
  requestId: string,
  ports: PostSpanPorts,
): Promise<Answer> {
  const headers = {
    ...(await ports.openHeaders(destination)),
    'content-type': 'application/json',
    'user-agent': 'Genway-broadcast/1',
    'x-request-id': requestId,
  };
  return postBody(destination.url, { headers, body: otlpRequest(span) }, rejectsSpan, ports);
}

const rejectionSchema = v.pipe(
  v.string(),
  v.parseJson(),
  // A 64-bit integer, which the JSON of protocol buffers writes as text.
  v.object({
    partialSuccess: v.object({
      rejectedSpans: v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.minValue(1)),
    }),
  }),
);

/** Most answers have no body, or one that is not JSON. */
export const rejectsSpan = ({ body }: Reply): boolean => v.is(rejectionSchema, body?.toString() ?? '');
