import { type Approval, mayKnow } from '../../approvals/approval.ts';
import { APPROVAL_ID, describeApproval } from '../../approvals/shown-approval.ts';
import { type NamedItems, refusedBy } from '../../aws/dynamo-writes.ts';
import { systemClock } from '../../clock.ts';
import { approvalStore, noteApproval } from '../../deployed/approvals.ts';
import { type LambdaHandler, routeHandler } from '../../deployed/gate.ts';
import { assertPermitted } from '../../gate/permission.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { Conflict, NotFound } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import type { KeyedRoute, RouteWith } from '../../http/routes.ts';
import { routes as ofCatalogue } from '../catalogue/definition.ts';
import { routes as ofKeys } from '../keys/definition.ts';

const hasBeenDecided = (cause?: unknown) =>
  new Conflict(
    'The change is no longer pending: it has already been approved or refused, or it has expired',
    { cause },
  );
const waiting = { ...ofCatalogue, ...ofKeys };

/**
 * The handler of a route that decides about a pending change, once, for a key that could ask for the change itself.
 * @param carryOut writes the decision, in one transaction with what follows from it
 */
export function decisionHandler(
  route: KeyedRoute & RouteWith<'approval'>,
  status: 'approved' | 'refused',
  carryOut: (call: AuthenticatedCall, approval: Approval, decision: NamedItems) => Promise<void>,
): LambdaHandler {
  const store = approvalStore();
  return routeHandler(route, async (call) => {
    const { principal, path, address } = call;
    const now = systemClock();
    const approval = APPROVAL_ID.test(path.approval) ? await store.find(path.approval, now) : undefined;
    if (approval === undefined || !mayKnow(principal, approval)) throw new NotFound('No such approval');
    assertPermitted(principal, waiting[approval.change.action], address);
    if (approval.status !== 'pending') throw hasBeenDecided();
    const decision = { approval: store.decision(approval.id, status, principal.keyHash, now) };
    await carryOut(call, approval, decision).catch((error: unknown) => {
      throw refusedBy(error, 'approval') ? hasBeenDecided(error) : error;
    });
    noteApproval(call, approval);
    const decided = { status, decided_by: principal.keyHash, decided_at: now.toISOString() };
    return json(200, { data: describeApproval({ ...approval, ...decided }) });
  });
}
