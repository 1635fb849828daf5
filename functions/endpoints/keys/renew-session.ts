import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { sessionStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { renewSession } from '../../keys/sessions.ts';
import { routes } from './definition.ts';

const sessions = sessionStore();

export const handler = routeHandler(routes['renew-session'], async ({ principal }) =>
  json(200, { data: await renewSession(principal, sessions, systemClock()) }),
);
