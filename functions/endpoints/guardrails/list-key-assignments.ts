import { routeHandler } from '../../deployed/gate.ts';
import { keyStore, listStore } from '../../deployed/stores.ts';
import { listAssignments } from '../../guardrails/assign-keys.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { offsetPage } from '../../http/validation.ts';
import { routes } from './definition.ts';

const ports = { keys: keyStore(), lists: listStore() };

export const handler = routeHandler(routes['list-key-assignments'], async (call) =>
  json(200, await listAssignments(call.principal, undefined, query(call, offsetPage), ports)),
);
