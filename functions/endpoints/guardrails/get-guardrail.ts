import { routeHandler } from '../../deployed/gate.ts';
import { guardrailStore, listStore, workspaceStore } from '../../deployed/stores.ts';
import { findGuardrail } from '../../guardrails/find-guardrail.ts';
import { describeGuardrail } from '../../guardrails/shown-guardrail.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';

const ports = { guardrails: guardrailStore(), workspaces: workspaceStore(), lists: listStore() };

export const handler = routeHandler(routes['get-guardrail'], async ({ path, principal }) =>
  json(200, { data: describeGuardrail(await findGuardrail(principal, path.guardrail, ports)) }),
);
