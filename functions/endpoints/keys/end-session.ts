import { routeHandler } from '../../deployed/gate.ts';
import { sessionStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { ownSession } from '../../keys/sessions.ts';
import { routes } from './definition.ts';

const sessions = sessionStore();

export const handler = routeHandler(routes['end-session'], async ({ principal }) => {
  await sessions.remove(ownSession(principal).hash);
  return json(200, { deleted: true });
});
