import * as v from 'valibot';
import type { Principal } from '../http/call.ts';
import { PermissionDenied } from '../http/errors.ts';
import { assertMayManage, lineOf, maySee } from '../keys/key-scope.ts';
import { storedKeySchema } from '../keys/key-store.ts';
import { accountSchema } from '../money/account.ts';
import { CREATE_KEY, ENDPOINT_ACTIONS, STATUSES } from './shown-approval.ts';

/** Long enough for a colleague in another time zone. */
const OPEN_MILLISECONDS = 24 * 3_600_000;

/** What waits: a key that has not begun, or the valid request for a change of the catalogue. */
const pendingChangeSchema = v.variant('action', [
  v.object({ action: v.literal(CREATE_KEY), stored: storedKeySchema, account: accountSchema }),
  v.object({
    action: v.picklist(ENDPOINT_ACTIONS),
    endpoint: v.string(),
    request: v.record(v.string(), v.unknown()),
    /** The digest of the endpoint as it was when the change was asked for. */
    seen: v.string(),
  }),
]);
export type PendingChange = v.InferOutput<typeof pendingChangeSchema>;
export type EndpointChange = Exclude<PendingChange, { action: typeof CREATE_KEY }>;

export const approvalSchema = v.object({
  id: v.string(),
  asked_by: v.string(),
  /** The first key of the line of who asked. */
  line: v.string(),
  subject: v.nullable(v.string()),
  asked_at: v.string(),
  ends_at: v.string(),
  status: v.picklist(STATUSES),
  decided_by: v.nullable(v.string()),
  decided_at: v.nullable(v.string()),
  change: v.pipe(v.string(), v.parseJson(), pendingChangeSchema),
});
export type Approval = Readonly<v.InferOutput<typeof approvalSchema>>;

export function newApproval(id: string, principal: Principal, change: PendingChange, now: Date): Approval {
  return {
    id,
    asked_by: principal.keyHash,
    line: lineOf(principal),
    subject: principal.session?.subject ?? null,
    asked_at: now.toISOString(),
    ends_at: new Date(now.getTime() + OPEN_MILLISECONDS).toISOString(),
    status: 'pending',
    decided_by: null,
    decided_at: null,
    change,
  };
}

/** Changes of keys are for those who may see the keys; the catalogue concerns every workspace. */
export const mayKnow = (caller: Principal, { change }: Approval): boolean =>
  change.action === CREATE_KEY ? maySee(caller, change.stored) : caller.scope.workspaces === null;

/**
 * A second key approves what it could change itself. A key that the first has made, or that has made the first, is no
 * second key, because whoever makes a key knows both.
 * @throws NotFound, PermissionDenied
 */
export async function assertMayApprove(caller: Principal, { line, change }: Approval): Promise<void> {
  if (lineOf(caller) === line) {
    throw new PermissionDenied(
      'This key or another key of its line requested the change; a key of another line must approve it. A line is a key that no other key created, with its descendants and replacements',
    );
  }
  if (change.action !== CREATE_KEY) return;
  await assertMayManage(caller, change.stored.hash, async () => change.stored);
}
