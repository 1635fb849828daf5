import { outcomeOf } from '../webhooks/delivery/judge-answer.ts';
import type { StoredDestination } from './destination.ts';
import { testSpan } from './generation-span.ts';
import { isTaken } from './judge-export.ts';
import { spanIds } from './otlp-request.ts';
import { type PostSpanPorts, postSpan } from './post-span.ts';

/** Sends a span of no generation, at once and only once, and tells what came of it. */
export async function tryDestination(
  destination: StoredDestination,
  workspaceId: string,
  requestId: string,
  ports: PostSpanPorts,
) {
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
