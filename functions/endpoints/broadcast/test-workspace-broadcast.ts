import { randomUUID } from 'node:crypto';
import { testSpan } from '../../broadcast/generation-span.ts';
import { isTaken } from '../../broadcast/judge-export.ts';
import { spanIds } from '../../broadcast/otlp-request.ts';
import { postSpan } from '../../broadcast/post-span.ts';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { createEgress } from '../../egress/egress-fetch.ts';
import { setting } from '../../environment.ts';
import { InvalidRequest } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { outcomeOf } from '../../webhooks/delivery/judge-answer.ts';
import { extraDeliveries } from '../webhooks/extra-deliveries.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { destinationStore, postSpanPorts } from './deployed.ts';

/** The caller waits for it. */
const DESTINATION_MILLISECONDS = 10_000;

const destinations = destinationStore();
const takeShare = extraDeliveries('redeliver');
const ports = postSpanPorts(
  createEgress({
    allowed: parseAllowedHosts(setting('privateHosts')),
    deadlineMilliseconds: DESTINATION_MILLISECONDS,
  }),
);

/** Sent at once and only once, even where broadcasts are off: the address can be tried before it is used. */
export const handler = workspaceHandler('test-workspace-broadcast', async (_call, workspace) => {
  const destination = await destinations.find(workspace.id);
  if (destination === undefined) {
    throw new InvalidRequest('The workspace has no destination; set one with PUT /workspaces/{id}/broadcast');
  }
  await takeShare(workspace.id);
  const requestId = randomUUID();
  const begun = systemClock();
  const answer = await postSpan(destination, testSpan(requestId, workspace.id, begun), requestId, ports);
  const data = {
    delivered: isTaken(answer),
    outcome: outcomeOf(answer),
    status: 'failure' in answer ? null : answer.status,
    milliseconds: systemClock().getTime() - begun.getTime(),
    request_id: requestId,
    trace_id: spanIds(requestId).traceId,
  };
  return json(200, { data });
});
