import { randomUUID } from 'node:crypto';
import { tryDestination } from '../../broadcast/post-span.ts';
import { deployedEgress } from '../../deployed/egress.ts';
import { postSpanPorts } from '../../deployed/secrets.ts';
import { destinationStore } from '../../deployed/stores.ts';
import { extraDeliveries } from '../../deployed/webhooks.ts';
import { InvalidRequest } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

/** The caller waits for it. */
const DESTINATION_MILLISECONDS = 10_000;

const destinations = destinationStore();
const takeShare = extraDeliveries('redeliver');
const ports = postSpanPorts(deployedEgress(DESTINATION_MILLISECONDS));

/** Even where broadcasts are off: the address can be tried before it is used. */
export const handler = workspaceHandler(routes['test-workspace-broadcast'], async (_call, workspace) => {
  const destination = await destinations.find(workspace.id);
  if (destination === undefined) {
    throw new InvalidRequest(
      'The workspace has no destination; set one with PUT /api/v1/workspaces/{workspace}/broadcast',
    );
  }
  await takeShare(workspace.id);
  return json(200, { data: await tryDestination(destination, workspace.id, randomUUID(), ports) });
});
