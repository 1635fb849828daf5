import { kms } from '../../aws/kms.ts';
import { destinationSchema } from '../../broadcast/destination.ts';
import { sealHeaders } from '../../broadcast/sealed-headers.ts';
import { describeDestination } from '../../broadcast/shown-destination.ts';
import { systemClock } from '../../clock.ts';
import { destinationStore } from '../../deployed/stores.ts';
import { parseAllowedHosts } from '../../egress/url-policy.ts';
import { setting } from '../../environment.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { checkedCallbackUrl } from '../../webhooks/settings/callback-url.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const allowedHosts = parseAllowedHosts(setting('privateHosts'));
const sealing = { kms, kmsKeyId: setting('providerKeysKmsKey') };
const destinations = destinationStore();

export const handler = workspaceHandler(routes['put-workspace-broadcast'], async (call, workspace) => {
  const { url, headers } = jsonBody(call, destinationSchema);
  const destination = {
    workspace_id: workspace.id,
    url: checkedCallbackUrl(url, 'url', allowedHosts),
    ...(await sealHeaders(headers, workspace.id, sealing)),
    updated_at: systemClock().toISOString(),
  };
  await destinations.put(destination);
  const enabled = workspace.is_observability_broadcast_enabled;
  return json(200, { data: describeDestination(destination, enabled) });
});
