import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import {
  accountStore,
  destinationStore,
  guardrailStore,
  keyStore,
  listStore,
  providerKeyStore,
  removalStore,
  workspaceStore,
} from '../../deployed/stores.ts';
import { webhookSettings } from '../../deployed/webhooks.ts';
import { json } from '../../http/response.ts';
import { removeWorkspace } from '../../workspaces/remove-workspace.ts';
import { routes } from './definition.ts';

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
