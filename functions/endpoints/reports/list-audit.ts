import { auditQuery } from '../../audit/audit-entry.ts';
import { AuditTrail } from '../../audit/audit-trail.ts';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { setting } from '../../environment.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { tellUnreadable } from '../../telemetry/metrics.ts';
import { routes } from './definition.ts';

const DEFAULT_MILLISECONDS = 30 * 86_400_000;

const trail = new AuditTrail(dynamo, setting('auditTable'));

export const handler = routeHandler(routes['list-audit'], async (call) => {
  const { since, action, limit, cursor } = query(call, auditQuery);
  const from =
    since === undefined ? new Date(systemClock().getTime() - DEFAULT_MILLISECONDS) : new Date(since);
  const page = await trail.list({ since: from, action, cursor, limit }, tellUnreadable);
  return json(200, { data: page.entries, has_more: page.cursor !== null, cursor: page.cursor });
});
