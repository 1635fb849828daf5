import * as v from 'valibot';
import { instant } from '../http/answer-schemas.ts';
import type { NewKey } from '../keys/create-key.ts';
import { AUDITED_OF_KEYS, describeKey } from '../keys/shown-key.ts';
import type { Approval } from './approval.ts';

export const APPROVAL_ID = /^apr_[0-9a-z]{26}$/;
export const CREATE_KEY = 'create-key';
export const ENDPOINT_ACTIONS = ['put-endpoint', 'update-endpoint', 'delete-endpoint'] as const;
export const STATUSES = ['pending', 'approved', 'refused'] as const;

/** What is pending, as answers show it. */
export const shownApprovalSchema = v.object({
  id: v.string(),
  action: v.pipe(
    v.picklist([CREATE_KEY, ...ENDPOINT_ACTIONS]),
    v.description('The operation that needs the approval'),
  ),
  target: v.pipe(v.string(), v.description('Hash of the new key, or ID of the endpoint')),
  request: v.pipe(
    v.record(v.string(), v.unknown()),
    v.description(
      'The settings of the new key, or the requested settings of the endpoint. Empty for `delete-endpoint`',
    ),
  ),
  status: v.pipe(v.picklist(STATUSES), v.description('`pending` until a key approves or refuses the change')),
  asked_by: v.pipe(v.string(), v.description('Hash of the management key that requested the change')),
  subject: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The `sub` of the person who requested the change. Null if it was not requested in a person’s session',
    ),
  ),
  asked_at: v.pipe(instant, v.description('When the change was requested')),
  ends_at: v.pipe(instant, v.description('When the approval request expires')),
  decided_by: v.pipe(
    v.nullable(v.string()),
    v.description('Hash of the key that approved or refused the change. Null while it is pending'),
  ),
  decided_at: v.pipe(
    v.nullable(instant),
    v.description('When the change was approved or refused. Null while it is pending'),
  ),
});

export function describeApproval({
  change,
  line: _line,
  ...approval
}: Approval): v.InferOutput<typeof shownApprovalSchema> {
  const { action } = change;
  if (action !== CREATE_KEY) return { ...approval, action, target: change.endpoint, request: change.request };
  return { ...approval, action, target: change.stored.hash, request: settingsOf(change, approval.asked_at) };
}

/** All that was asked for, because whoever approves a key answers for all of it: `creator_user_id` opens provider keys. */
function settingsOf({ stored, account }: NewKey, at: string): Record<string, unknown> {
  const shown = describeKey(stored, account, new Date(at));
  const people = ['creator_user_id', 'external_user', 'external'] as const;
  const names = ['name', 'label', ...people, ...AUDITED_OF_KEYS] as const;
  return Object.fromEntries(names.map((name) => [name, shown[name]]));
}
