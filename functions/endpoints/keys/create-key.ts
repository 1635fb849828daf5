import { randomBytes } from 'node:crypto';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { keyLives, workspaceStore } from '../../deployed/stores.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { createKey } from '../../keys/create-key.ts';
import { newKeySchema } from '../../keys/key-requests.ts';
import { describeKey } from '../../keys/shown-key.ts';
import { namedWorkspace } from '../../workspaces/find-workspace.ts';
import { routes } from './definition.ts';

const workspaces = workspaceStore();
const ports = { lives: keyLives(), now: systemClock, random: randomBytes };

export const handler = routeHandler(routes['create-key'], async (call) => {
  const { workspace_id: named, ...asked } = jsonBody(call, newKeySchema);
  const requested =
    named === undefined ? asked : { ...asked, workspace_id: await namedWorkspace(named, workspaces) };
  const { key, stored, account } = await createKey(requested, call.principal.workspaceId, ports);
  return json(201, { data: describeKey(stored, account, systemClock()), key });
});
