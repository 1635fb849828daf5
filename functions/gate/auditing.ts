import type { AuditEntry } from '../audit/audit-entry.ts';
import { type AuditTrail, namesOfFields, workspaceOf } from '../audit/audit-trail.ts';
import type { Admitted, RequestHead } from '../http/call.ts';
import { ApiError } from '../http/errors.ts';
import type { ApiResponse } from '../http/response.ts';
import type { PathParameters } from '../http/routes.ts';
import { redactText } from '../telemetry/redaction.ts';

/** Several times the fields of the largest thing, so that an entry fits a row. */
const MOST_CHANGES = 100;

export interface AuditPorts {
  readonly trail: Pick<AuditTrail, 'begin' | 'end'>;
  readonly now: () => Date;
  /** Eight characters that are unique among the entries of the same millisecond. */
  readonly newName: () => string;
  /** Rows of the trail could be written anew by whoever may add them; no program may change a line of the log. */
  readonly log: (entry: AuditEntry & { readonly place: string }) => void;
}

/** A call of a management key. A body that comes as a stream is not looked at. */
export type RecordedCall = RequestHead<PathParameters> & Admitted & { readonly body?: Uint8Array };

/**
 * Does a change with an entry in the audit trail, without which it does not begin. Its outcome is added afterwards; if
 * that fails, the caller still gets the true answer.
 */
export async function recorded(
  action: string,
  call: RecordedCall,
  operate: () => Promise<ApiResponse>,
  { trail, now, newName, log }: AuditPorts,
): Promise<ApiResponse> {
  const entry = {
    at: now().toISOString(),
    action,
    target: targetOf(call),
    // Somebody may have put a key where an id belongs.
    fields: namesOfFields(call.body ?? new Uint8Array()).map(redactText),
    key_hash: call.principal.keyHash,
    session_hash: call.principal.session?.hash ?? null,
    subject: call.principal.session?.subject ?? null,
    request_id: redactText(call.requestId),
    changes: [],
    status: null,
  };
  const place = await trail.begin(entry, newName());
  log({ ...entry, place });
  const end = (status: number) =>
    trail
      .end(place, { status, changes: call.changes.slice(0, MOST_CHANGES) })
      .catch((error: unknown) => call.log.error('audit entry not ended', { action, error }));
  try {
    const answer = await operate();
    await end(answer.status);
    return answer;
  } catch (error) {
    await end(error instanceof ApiError ? error.status : 500);
    throw error;
  }
}

/** What the path names, and in whose name or about which generation the call is. */
function targetOf({ path, query, body }: RecordedCall): Record<string, string> {
  const workspace_id = query.workspace_id ?? (body && workspaceOf(body));
  const named = Object.entries({ id: query.id, workspace_id, ...path });
  return Object.fromEntries(
    named.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, redactText(value).slice(0, 200).toWellFormed()]],
    ),
  );
}
