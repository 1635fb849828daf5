import * as v from 'valibot';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { timestamp } from '../../http/timestamp.ts';
import { PLACE } from '../../webhooks/events/event-list.ts';
import { recoverEvents } from '../../webhooks/events/recover-events.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { eventList, redeliverPorts } from './deployed.ts';
import { extraDeliveries } from './extra-deliveries.ts';

const ports = { ...redeliverPorts(), list: eventList() };
const takeShare = extraDeliveries('recover');

const bodySchema = v.object({
  since: timestamp,
  cursor: v.nullish(v.pipe(v.string(), v.regex(PLACE, 'must be the cursor of the call before'))),
});

export const handler = workspaceHandler('recover-webhook-deliveries', async (call, workspace) => {
  const { since, cursor } = jsonBody(call, bodySchema);
  await takeShare(workspace.id);
  const lost = { since: new Date(since), cursor: cursor ?? undefined };
  return json(202, { data: await recoverEvents(workspace.id, lost, ports) });
});
