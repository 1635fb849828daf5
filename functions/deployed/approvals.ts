import * as v from 'valibot';
import { type Approval, newApproval, type PendingChange } from '../approvals/approval.ts';
import { ApprovalStore } from '../approvals/approval-store.ts';
import { describeApproval } from '../approvals/shown-approval.ts';
import { noteChange } from '../audit/changed-fields.ts';
import { dynamo } from '../aws/dynamo.ts';
import { systemClock } from '../clock.ts';
import { setting } from '../environment.ts';
import type { AuthenticatedCall } from '../http/call.ts';
import { type ApiResponse, json } from '../http/response.ts';
import { newId } from '../ids.ts';

export const approvalStore = () => new ApprovalStore(dynamo, setting('approvalsTable'));

export const needsApproval = (): boolean => setting('approvals', v.picklist(['on', 'off'])) === 'on';

/** Which of the changes that an audit entry has tell who asked for what. */
export function noteApproval(call: AuthenticatedCall, approval: Approval): void {
  const { id, ...shown } = describeApproval(approval);
  noteChange(call, ['approval', 'action', 'target', 'asked_by'], undefined, { approval: id, ...shown });
}

/** Answers a change with what waits for a second key; undefined where the stage asks for none. */
export function approvalAsker() {
  if (!needsApproval()) return undefined;
  const store = approvalStore();
  return async (
    call: AuthenticatedCall,
    change: PendingChange,
    secret: object = {},
  ): Promise<ApiResponse> => {
    const now = systemClock();
    const approval = newApproval(newId.approval(now), call.principal, change, now);
    await store.insert(approval);
    noteApproval(call, approval);
    return { ...json(202, { data: describeApproval(approval), ...secret }), made: approval.id };
  };
}
