import { mayKnow } from '../../approvals/approval.ts';
import { describeApproval } from '../../approvals/shown-approval.ts';
import { systemClock } from '../../clock.ts';
import { approvalStore } from '../../deployed/approvals.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { tellUnreadable } from '../../telemetry/metrics.ts';
import { approvalsQuery, routes } from './definition.ts';

const store = approvalStore();

export const handler = routeHandler(routes['list-approvals'], async (call) => {
  const { limit, cursor: before } = query(call, approvalsQuery);
  const { approvals, cursor } = await store.list({ before, limit, now: systemClock() }, tellUnreadable);
  const data = approvals.filter((each) => mayKnow(call.principal, each)).map(describeApproval);
  return json(200, { data, has_more: cursor !== null, cursor });
});
