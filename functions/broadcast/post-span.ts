import * as v from 'valibot';
import { type Answer, judgeAnswer, outcomeOf } from '../webhooks/delivery/judge-answer.ts';
import { type PostPorts, postBody, type Reply } from '../webhooks/delivery/post-event.ts';
import type { StoredDestination } from './destination.ts';
import { testSpan } from './generation-span.ts';
import { otlpRequest, type Span, spanIds } from './otlp-request.ts';
import type { OpenHeaders } from './sealed-headers.ts';
import type { shownTestSchema } from './shown-destination.ts';

export interface PostSpanPorts extends PostPorts {
  readonly openHeaders: OpenHeaders;
}

/** What a request to a destination needs to know of it. */
type Receiver = Pick<StoredDestination, 'workspace_id' | 'type' | 'url' | 'method' | 'ciphertext'>;

/** Sends one span in one request. A 2xx of a collector that rejects the span counts as a refusal that is final. */
export async function postSpan(
  destination: Receiver,
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
  const { type, url, method } = destination;
  const rejects = type === 'webhook' ? () => false : rejectsSpan;
  return postBody(url, { method, headers, body: otlpRequest(span) }, rejects, ports);
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

/** OTLP over HTTP lists the statuses after which a request may be sent again; after any other it must not be. */
const RETRYABLE: readonly number[] = [429, 502, 503, 504];

const isTaken = (answer: Answer): boolean =>
  'status' in answer && answer.status >= 200 && answer.status < 300 && !answer.aborts;

/** By the same schedule as webhooks, but by OTLP's rules about answers. */
export const judgeExport: typeof judgeAnswer = (answer, made, random) => {
  if ('failure' in answer) return judgeAnswer(answer, made, random);
  if (isTaken(answer)) return { status: 'delivered' };
  if (RETRYABLE.includes(answer.status)) return judgeAnswer({ ...answer, aborts: false }, made, random);
  return { status: 'failed', isGone: false };
};

/** Sends a span of no generation, at once and only once, and tells what came of it. */
export async function tryDestination(
  destination: Receiver,
  workspaceId: string,
  requestId: string,
  ports: PostSpanPorts,
): Promise<v.InferOutput<typeof shownTestSchema>> {
  const begun = ports.now();
  const answer = await postSpan(destination, testSpan(requestId, workspaceId, begun), requestId, ports);
  return {
    delivered: isTaken(answer),
    outcome: outcomeOf(answer),
    status: 'failure' in answer ? null : answer.status,
    milliseconds: ports.now().getTime() - begun.getTime(),
    request_id: requestId,
    trace_id: spanIds(requestId).traceId,
  };
}
