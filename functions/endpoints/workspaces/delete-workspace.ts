import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import { json } from '../../http/response.ts';
import { removeWorkspace } from '../../workspaces/remove-workspace.ts';
import { destinationStore } from '../broadcast/deployed.ts';
import { accountStore } from '../credits/deployed.ts';
import { guardrailStore } from '../guardrails/deployed.ts';
import { keyStore } from '../keys/deployed.ts';
import { listStore } from '../lists/deployed.ts';
import { providerKeyStore } from '../provider-keys/deployed.ts';
import { webhookSettings } from '../webhooks/deployed.ts';
import { routes } from './definition.ts';
import { removalStore, workspaceStore } from './deployed.ts';

const ports = {
  workspaces: workspaceStore(),
  lists: listStore(),
  keys: keyStore(),
  removals: removalStore(),
  providerKeys: providerKeyStore(),
  guardrails: guardrailStore(),
  webhooks: webhookSettings(),
  broadcasts: destinationStore(),
  accounts: accountStore(),
  now: systemClock,
};

export const handler = routeHandler(routes['delete-workspace'], async (call) => {
  await removeWorkspace(call.path.workspace, ports);
  return json(200, { deleted: true });
});
