import { randomBytes } from 'node:crypto';
import { noteChange } from '../../audit/changed-fields.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { sessionStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { AUDITED_OF_SESSIONS, describeSession, issueSession } from '../../keys/sessions.ts';
import { routes } from './definition.ts';

const sessions = sessionStore();

export const handler = routeHandler(routes['create-session'], async (call) => {
  const { token, stored } = issueSession(call.principal, systemClock(), randomBytes);
  await sessions.insert(stored);
  noteChange(call, AUDITED_OF_SESSIONS, undefined, stored);
  return { ...json(201, { data: describeSession(stored), token }), made: stored.hash };
});
