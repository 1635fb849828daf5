import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { ownKeyReports } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { describeCurrentKey } from '../../keys/shown-key.ts';
import { routes } from './definition.ts';

const report = ownKeyReports();

export const handler = routeHandler(routes['get-current-key'], async ({ principal }) => {
  const { key, limiting } = await report(principal);
  // The session of a person has limits of its own, and a key's guardrail is only for the key's own workspace.
  const { workspaceId: workspace_id, scope, guardrailId: guardrail_id = null } = principal;
  const acting = { ...key, workspace_id, scope, guardrail_id };
  return json(200, { data: describeCurrentKey(acting, limiting, systemClock()) });
});
